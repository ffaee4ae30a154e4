import type { PoolClient } from "pg";
import type { Release } from "#lib/domain/delivery/derive-releases.ts";
import type { TimelineEvent } from "#lib/domain/delivery/derive-timeline.ts";
import { stableUuid } from "#lib/domain/delivery/stable-uuid.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { type Columns, insertRows, overwrite } from "#lib/server/recorder/store/insert-rows.ts";
import { storableName, storableText } from "#lib/server/recorder/store/text-fields.ts";
import type { RecordedObservation } from "./rollout-state.ts";

export type Owned<Value> = { rolloutId: string; value: Value };

const observationColumns = {
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
} as const satisfies Columns<Record<string, unknown>>;

/** Writes observations in the given order: their ids ascend with it. */
export async function writeObservations(
  tx: PoolClient,
  observations: readonly Owned<RecordedObservation & { provider: string; viewDigest: string }>[],
): Promise<void> {
  await insertRows(tx, {
    table: "observation",
    columns: observationColumns,
    rows: observations.map(({ rolloutId, value }) => {
      const { runKey, revision, step, weight, isAbortAsked } = value.state;
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
      };
    }),
    onConflict: "ON CONFLICT (rollout_id, resource_version) DO NOTHING",
  });
}

export function releaseId(rolloutId: string, release: Pick<Release, "runKey" | "attempt">): string {
  return stableUuid("release", rolloutId, release.runKey, release.attempt);
}

const releaseColumns = {
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
} as const satisfies Columns<Record<string, unknown>>;

export async function writeReleases(
  tx: PoolClient,
  releases: readonly Owned<Release>[],
  updatedAt: string,
): Promise<void> {
  await insertRows(tx, {
    table: "release",
    columns: releaseColumns,
    rows: releases.map(({ rolloutId, value }) => ({
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
    })),
    onConflict: `ON CONFLICT (id) DO UPDATE SET ${overwrite(releaseColumns, ["id", "rollout_id"])}
      WHERE ${differs("release", releaseColumns, ["id", "updated_at"])}`,
  });
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
  await tx.query(
    `DELETE FROM release WHERE rollout_id = $1 AND ($3::timestamptz IS NULL OR started_at > $3)
        AND NOT EXISTS (SELECT FROM unnest($2::uuid[]) AS kept WHERE kept = release.id)`,
    [rolloutId, releases.map((release) => releaseId(rolloutId, release)), keptBefore ?? null],
  );
}

const timelineColumns = {
  id: "uuid",
  rollout_id: "uuid",
  at: "timestamptz",
  ord: "int4",
  kind: "text",
  text: "text",
  phase: "text",
  run_name: "text",
} as const satisfies Columns<Record<string, unknown>>;

export function timelineEventId(rolloutId: string, event: Pick<TimelineEvent, "resourceVersion" | "ord">): string {
  return stableUuid("timeline", rolloutId, event.resourceVersion, event.ord);
}

export async function writeTimeline(tx: PoolClient, events: readonly Owned<TimelineEvent>[]): Promise<void> {
  await insertRows(tx, {
    table: "timeline_event",
    columns: timelineColumns,
    rows: events.map(({ rolloutId, value }) => ({
      id: timelineEventId(rolloutId, value),
      rollout_id: rolloutId,
      at: value.at,
      ord: value.ord,
      kind: value.kind,
      text: storableText(value.text),
      phase: value.phase,
      run_name: value.runName ?? null,
    })),
    onConflict: `ON CONFLICT (id) DO UPDATE SET ${overwrite(timelineColumns, ["id", "rollout_id"])}
      WHERE ${differs("timeline_event", timelineColumns, ["id"])}`,
  });
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
  await tx.query(
    `DELETE FROM timeline_event WHERE rollout_id = $1 AND ($3::timestamptz IS NULL OR at > $3)
        AND NOT EXISTS (SELECT FROM unnest($2::uuid[]) AS kept WHERE kept = timeline_event.id)`,
    [rolloutId, events.map((event) => timelineEventId(rolloutId, event)), keptBefore ?? null],
  );
}

/** Returns a condition that skips rows whose rederivation gives the same result. */
function differs(table: string, columns: Readonly<Record<string, string>>, except: readonly string[]): string {
  const names = Object.keys(columns).filter((name) => !except.includes(name));
  const list = (of: string): string => names.map((name) => `"${of}"."${name}"`).join(", ");
  return `(${list(table)}) IS DISTINCT FROM (${list("excluded")})`;
}
