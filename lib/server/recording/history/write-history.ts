import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import type { PoolClient } from "pg";
import type { Release } from "#lib/domain/delivery/derive-releases.ts";
import type { TimelineEvent } from "#lib/domain/delivery/derive-timeline.ts";
import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { allOf, type Condition, given, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { differs, prepareInsert, prepareLock } from "#lib/server/platform/db/prepare-insert.ts";
import { type Connection, write } from "#lib/server/platform/db/run-query.ts";
import { textAt } from "#lib/server/platform/db/sql-functions.ts";
import { type Columns, tables } from "#lib/server/platform/db/tables.ts";
import { type RecordedPart, writeParts } from "#lib/server/recording/store/recorded-parts.ts";
import { storableName, storableText } from "#lib/server/recording/store/text-fields.ts";
import { asTime } from "#lib/server/records/list-cursor.ts";
import type { RecordedObservation } from "#lib/server/records/observation-row.ts";

export type Owned<Value> = { rolloutId: string; value: Value };

const insertObservations = prepareInsert({
  table: "observation",
  columns: {
    rollout_id: "uuid",
    observed_at: "timestamptz",
    resource_version: "text",
    view_digest: "text",
    writer: "text",
    provider: "text",
    run_key: "text",
    revision: "int4",
    step: "int4",
    weight_set: "float8",
    abort_asked: "bool",
    projection: "jsonb",
    object: "jsonb",
    spec_digest: "text",
    template_digest: "text",
    stable_template_digest: "text",
  },
  conflict: { key: ["rollout_id", "resource_version"] },
});

export type NewObservation = RecordedObservation & {
  provider: string;
  viewDigest: string;
  /** The object that was observed, redacted: as JSON without its spec, which is a part. */
  frame: string;
  spec: RecordedPart | null;
};

/** Writes observations in the given order: their ids ascend with it. `known`: digests of specs that are stored. */
export async function writeObservations(
  tx: PoolClient,
  observations: readonly Owned<NewObservation>[],
  known: ReadonlySet<string | undefined>,
): Promise<void> {
  await writeParts(
    tx,
    observations.map(({ value }) => value.spec),
    known,
  );
  await insertObservations(
    tx,
    observations.map(({ rolloutId, value }) => {
      const { runKey, revision, step, weight, isAbortAsked, templateDigest, stableTemplateDigest } = value.state;
      return {
        rollout_id: rolloutId,
        observed_at: value.observedAt,
        resource_version: value.resourceVersion,
        view_digest: value.viewDigest,
        writer: value.writer === null ? null : storableName(value.writer),
        provider: value.provider,
        run_key: storableName(runKey),
        revision,
        step,
        weight_set: weight,
        abort_asked: isAbortAsked,
        projection: toStorableJson(value.projection),
        object: value.frame,
        spec_digest: value.spec?.digest ?? null,
        template_digest: templateDigest ?? null,
        stable_template_digest: stableTemplateDigest ?? null,
      };
    }),
  );
}

export function releaseId(rolloutId: string, release: Pick<Release, "runKey" | "attempt">): string {
  return stableUuid("release", rolloutId, release.runKey, release.attempt);
}

const releaseFacts = [
  ...(["run_key", "revision", "attempt"] as const),
  ...(["state", "message", "images", "started_at", "ended_at"] as const),
];

const insertReleases = prepareInsert({
  table: "release",
  columns: {
    id: "uuid",
    rollout_id: "uuid",
    run_key: "text",
    revision: "int4",
    attempt: "int4",
    state: "text",
    message: "text",
    images: "jsonb",
    started_at: "timestamptz",
    ended_at: "timestamptz",
    updated_at: "timestamptz",
  },
  conflict: {
    key: ["id"],
    keep: ["rollout_id"],
    // A rederivation that gives the same result writes nothing.
    when: differs("release", releaseFacts),
  },
});

const lockReleases = prepareLock("release", { id: "uuid" });

export async function writeReleases(
  tx: PoolClient,
  releases: readonly Owned<Release>[],
  updatedAt: string,
): Promise<void> {
  const rows = releases.map(({ rolloutId, value }) => ({
    id: releaseId(rolloutId, value),
    rollout_id: rolloutId,
    run_key: storableName(value.runKey),
    revision: value.revision,
    attempt: value.attempt,
    state: value.state,
    message: storableText(value.message),
    images: toStorableJson(value.images),
    started_at: value.startedAt,
    ended_at: value.endedAt,
    updated_at: updatedAt,
  }));
  await lockReleases(tx, rows);
  await insertReleases(tx, rows);
}

/** Removes rows that a new derivation no longer yields, except those that began by `keptBefore` (ISO 8601). */
export async function deleteOtherReleases(
  tx: PoolClient,
  {
    rolloutId,
    releases,
    keptBefore,
  }: { rolloutId: string; releases: readonly Release[]; keptBefore?: string | undefined },
): Promise<void> {
  const kept = releases.map((release) => releaseId(rolloutId, release));
  await write(
    tx,
    tables
      .deleteFrom("release")
      .where("rollout_id", "=", rolloutId)
      .where(({ ref }) => allOf([isNoneOf(ref("release.id"), kept), isAfter(ref("started_at"), keptBefore)])),
  );
}

const insertEvents = prepareInsert({
  table: "timeline_event",
  columns: {
    id: "uuid",
    rollout_id: "uuid",
    at: "timestamptz",
    ord: "int4",
    kind: "text",
    text: "text",
    phase: "text",
    run_name: "text",
  },
  conflict: {
    key: ["rollout_id", "id"],
    keep: [],
    when: differs("timeline_event", ["at", "ord", "kind", "text", "phase", "run_name"]),
  },
});

export function timelineEventId(rolloutId: string, event: Pick<TimelineEvent, "resourceVersion" | "ord">): string {
  return stableUuid("timeline", rolloutId, event.resourceVersion, event.ord);
}

export async function writeTimeline(tx: PoolClient, events: readonly Owned<TimelineEvent>[]): Promise<void> {
  await insertEvents(
    tx,
    events.map(({ rolloutId, value }) => ({
      id: timelineEventId(rolloutId, value),
      rollout_id: rolloutId,
      at: value.at,
      ord: value.ord,
      kind: value.kind,
      text: storableText(value.text),
      phase: value.phase,
      run_name: value.runName ?? null,
    })),
  );
}

/** Removes rows that a new derivation no longer yields, except those that happened by `keptBefore` (ISO 8601). */
export async function deleteOtherEvents(
  tx: PoolClient,
  {
    rolloutId,
    events,
    keptBefore,
  }: { rolloutId: string; events: readonly TimelineEvent[]; keptBefore?: string | undefined },
): Promise<void> {
  const kept = events.map((event) => timelineEventId(rolloutId, event));
  await write(
    tx,
    tables
      .deleteFrom("timeline_event")
      .where("rollout_id", "=", rolloutId)
      .where(({ ref }) => allOf([isNoneOf(ref("timeline_event.id"), kept), isAfter(ref("at"), keptBefore)])),
  );
}

function isAfter(time: Expression<Date>, before: string | undefined): Condition | undefined {
  return given(before, (at) => expressionBuilder()(time, ">", asTime(at)));
}

/** Returns the condition that the id is none of these: an anti-join, however many they are. */
function isNoneOf(id: Expression<string>, ids: readonly string[]): Condition {
  return sql<SqlBool>`NOT EXISTS (SELECT FROM unnest(${ids}::uuid[]) AS kept WHERE kept = ${id})`;
}

/**
 * Voids every decision on these rollouts that is still in force, as when a run of theirs ends. Returns how many.
 * Rollbacks that are bound to one of `keptChecksums` stay: a person may ask for one of the run that has just begun
 * before the end of the one before is seen.
 */
export async function voidDecisions(
  tx: Connection,
  { rolloutIds, keptChecksums = [] }: { rolloutIds: readonly string[]; keptChecksums?: readonly string[] },
): Promise<number> {
  if (rolloutIds.length === 0) return 0;
  return write(
    tx,
    tables
      .updateTable("gate_decision")
      .set(() => ({ voided_at: clockTime }) satisfies Columns<"gate_decision">)
      .where(({ ref }) => isOneOf(ref("rollout_id"), rolloutIds, "uuid"))
      // The index of decisions begins with the place of the object.
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple("cluster", "namespace", "name"),
          "in",
          selectFrom("rollout as r")
            .select(["r.cluster", "r.namespace", "r.name"])
            .where(({ ref }) => isOneOf(ref("r.id"), rolloutIds, "uuid"))
            .$asTuple("cluster", "namespace", "name"),
        ),
      )
      .where("voided_at", "is", null)
      .where((eb) =>
        eb.not(eb.and([eb("verdict", "=", "rollback"), isOneOf(textAt(eb.ref("bound"), "checksum"), keptChecksums)])),
      ),
  );
}
