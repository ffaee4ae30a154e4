import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import type { Release } from "#lib/contract/rollout.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { findRule } from "#lib/domain/oversight/rule-catalogue.ts";
import type { Condition } from "#lib/server/platform/db/conditions.ts";
import { secondsAfter, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { countRows, rankSeverity } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { isContradicted, objectOfCounts, serializeRunCounts } from "#lib/server/records/run-row.ts";

const eb = fragment<{ l: "release"; r: "rollout"; f: "finding" }>();
const { ref, selectFrom } = eb;

/**
 * Returns the condition that run `a` is of release `l`. Runs belong to the attempt during which they were created; see
 * `isRunSince` for its ends.
 */
export function isRunOfRelease(): Condition {
  const eb = fragment<{ a: "analysis_run"; l: "release" }>();
  return eb.and([
    eb("a.rollout_id", "=", eb.ref("l.rollout_id")),
    eb("a.pod_hash", "=", eb.ref("l.run_key")),
    isOfAttempt(isRunSince),
  ]);
}

/** Returns the same condition for Experiment `e`. */
export function isExperimentOfRelease(): Condition {
  const eb = fragment<{ e: "experiment"; l: "release" }>();
  return eb.and([
    eb("e.rollout_id", "=", eb.ref("l.rollout_id")),
    eb("e.pod_hash", "=", eb.ref("l.run_key")),
    isOfAttempt(isExperimentSince),
  ]);
}

/** Returns the condition that run `a` was created in the attempt that began then, or in a later one. */
export function isRunSince(begin: Expression<Date>): Expression<SqlBool> {
  const { ref: of } = fragment<{ a: "analysis_run" }>();
  return isCreatedSince(
    {
      ...{ at: of("a.created_at"), seenAt: of("a.first_seen_at"), endedAt: of("a.completed_at") },
      skewMs: of("a.clock_skew_ms"),
    },
    begin,
  );
}

function isExperimentSince(begin: Expression<Date>): Expression<SqlBool> {
  const { ref: of } = fragment<{ e: "experiment" }>();
  return isCreatedSince(
    {
      ...{ at: of("e.created_at"), seenAt: of("e.first_seen_at"), endedAt: of("e.completed_at") },
      skewMs: of("e.clock_skew_ms"),
    },
    begin,
  );
}

type Created = {
  /** By the cluster's clock, which was `skewMs` ahead. */
  at: Expression<Date>;
  /** By ours. */
  seenAt: Expression<Date>;
  endedAt: Expression<Date | null>;
  skewMs: Expression<number | null>;
};

/** The clock difference is measured by a time in whole seconds, so it may be wrong by half a second. */
const skewErrorSeconds = 0.5;
/** The cluster also writes the times of objects in whole seconds. */
export const clusterTimeSeconds = 1 + skewErrorSeconds;

/** Returns the time of ours as the cluster's clock showed it, to compare it with the times of an object. */
export function atClusterClock(time: Expression<Date | null>, skewMs: Expression<number | null>): RawBuilder<Date> {
  return secondsAfter(time, sql<number>`coalesce(${skewMs}, 0) / 1000.0`);
}

/**
 * The begin of an attempt has a tolerance of `clusterTimeSeconds`. Within it, an object that was seen and had ended
 * before the attempt began is of an earlier one.
 */
function isCreatedSince({ at, seenAt, endedAt, skewMs }: Created, begin: Expression<Date>): Expression<SqlBool> {
  const eb = expressionBuilder();
  const there = atClusterClock(begin, skewMs);
  const isEarlier = eb.and([eb(seenAt, "<", begin), eb(endedAt, "<=", secondsAfter(there, skewErrorSeconds))]);
  return eb.and([eb(at, ">=", secondsBefore(there, clusterTimeSeconds)), eb(isEarlier, "is not", true)]);
}

function isOfAttempt(isSince: (begin: Expression<Date>) => Expression<SqlBool>): Condition {
  const eb = fragment<{ l: "release" }>();
  const later = eb
    .selectFrom("release as n")
    .select("n.id")
    .whereRef("n.rollout_id", "=", "l.rollout_id")
    .whereRef("n.run_key", "=", "l.run_key")
    .whereRef("n.attempt", ">", "l.attempt")
    .where((n) => isSince(n.ref("n.started_at")));
  return eb.and([eb.or([eb("l.attempt", "=", 1), isSince(ref("l.started_at"))]), eb.not(eb.exists(later))]);
}

const runCounts = selectFrom("analysis_run as a")
  .select(["a.phase", countRows().as("count")])
  .where(isRunOfRelease())
  .groupBy("a.phase");

const contradictedCounts = runCounts.where(isContradicted);

/** What release `l` waits for, if it is the current release of its rollout `r`. */
export const waitsFor = eb
  .case()
  .when(eb.and([eb("l.state", "in", ["progressing", "paused"]), eb("l.run_key", "=", ref("r.revision_key"))]))
  .then(ref("r.attention_reason"))
  .end();

const severityRank = rankSeverity(ref("f.severity"));

const openOfRelease = selectFrom("finding as f")
  .whereRef("f.rollout_id", "=", "l.rollout_id")
  .whereRef("f.run_key", "=", "l.run_key")
  .where("f.closed_at", "is", null)
  .where("f.acknowledged_at", "is", null);

/** Findings about the version of release `l` that are open and not acknowledged; `worst`: the severity of the worst. */
const findings = jsonBuildObject({
  open: openOfRelease.select(countRows().as("count")).$asScalar().$notNull(),
  worst: openOfRelease.select("f.severity").orderBy(severityRank).limit(1).$asScalar(),
  criticalRule: openOfRelease
    .select("f.rule")
    .where("f.severity", "=", "critical")
    .orderBy("f.since")
    .limit(1)
    .$asScalar(),
});

export const selectReleases = tables
  .selectFrom("release as l")
  .innerJoin("rollout as r", "r.id", "l.rollout_id")
  .selectAll("l")
  .select([
    "r.cluster",
    "r.namespace",
    "r.kind",
    "r.name",
    "r.labels",
    waitsFor.as("waits_for"),
    findings.as("findings"),
    objectOfCounts(runCounts).as("runs_by_phase"),
    objectOfCounts(contradictedCounts).as("runs_contradicted"),
  ]);

export type ReleaseRow = RowOf<typeof selectReleases>;

export function serializeRelease(
  row: ReleaseRow,
  { team, sentence, acts, links }: Pick<Release, "team" | "sentence" | "acts" | "links">,
): Release {
  const { cluster, namespace, kind, name } = row;
  return {
    id: row.id,
    rollout: { id: formatObjectRef(row), cluster, namespace, kind, name },
    team,
    runKey: row.run_key,
    revision: row.revision,
    attempt: row.attempt,
    state: row.state,
    waitsFor: row.waits_for,
    sentence,
    message: row.message,
    findings: serializeFindings(row.findings),
    images: imagesOf(row.images),
    startedAt: row.started_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    runs: { ...serializeRunCounts(row.runs_by_phase), contradicted: row.runs_contradicted },
    acts,
    links,
  };
}

function serializeFindings({ open, worst, criticalRule }: ReleaseRow["findings"]): Release["findings"] {
  const badge = criticalRule === null ? undefined : findRule(criticalRule)?.badge;
  return { open, worst, ...(badge === undefined ? {} : { badge }) };
}

/** Reads the images of a release, which the recorder stores as names, or as names with tags. */
export function imagesOf(images: unknown): string[] {
  if (!Array.isArray(images)) return [];
  return images.flatMap((image: unknown) => {
    if (typeof image === "string") return image;
    if (typeof image === "object" && image !== null && "image" in image && typeof image.image === "string")
      return image.image;
    return [];
  });
}
