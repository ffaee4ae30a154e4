import { type Expression, expressionBuilder, type RawBuilder, sql } from "kysely";
import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import { AnalysisPhase } from "#lib/contract/common.ts";
import type { Release } from "#lib/contract/rollout.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { isRolloutKind } from "#lib/domain/providers.ts";
import type { Condition } from "#lib/server/platform/db/conditions.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { countRows, numberFor, sumOf } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { computeDurationSeconds } from "#lib/util/duration.ts";

const { fn, ref } = fragment<{ a: "analysis_run"; r: "rollout" }>();

/** Whether the verdict check of run `a` found that its verdict does not follow from its record. */
export const isContradicted = sql<boolean>`COALESCE(${ref("a.verdict_check")} ->> 'state' = 'contradicts', false)`;

/** Makes one object of the numbers of runs by phase. */
export function objectOfCounts(counts: Expression<{ phase: string; count: number }>) {
  return sql<Record<string, number>>`(SELECT COALESCE(jsonb_object_agg(phase, count), '{}') FROM ${counts} counts)`;
}

/** The place of run `a`: of its rollout `r`; of its owner while that is unknown; its own if it has no owner. */
export const runPlace = {
  cluster: ref("a.cluster"),
  namespace: ref("a.namespace"),
  kind: fn.coalesce("r.kind", "a.owner_kind", "a.kind").$castTo<string>(),
  name: fn.coalesce("r.name", "a.owner_name", "a.name"),
};

/** Selects the columns of a summary, without the number of measurements: counting them reads them all. */
export const selectRunFacts = tables
  .selectFrom("analysis_run as a")
  .leftJoin("rollout as r", "r.id", "a.rollout_id")
  .select([
    "a.uid",
    "a.rollout_id",
    "a.cluster",
    "a.namespace",
    "a.kind",
    "a.name",
    "a.owner_kind",
    "a.owner_name",
    "a.type",
    "a.step_index",
    "a.revision",
    "a.pod_hash",
    "a.phase",
    "a.message",
    "a.terminated",
    "a.presence",
    "a.started_at",
    "a.completed_at",
    "a.first_seen_at",
    "a.measurements_expired",
    "r.kind as rollout_kind",
    "r.name as rollout_name",
  ])
  .select(({ selectFrom }) => [
    isContradicted.as("contradiction"),
    selectFrom("measurement_gap as g")
      .select(({ ref }) => sumOf(ref("g.count")).as("sum"))
      .innerJoin("metric as t", "t.id", "g.metric_id")
      .whereRef("t.rollout_id", "=", "a.rollout_id")
      .whereRef("t.run_uid", "=", "a.uid")
      .$asScalar()
      .$notNull()
      .as("lost"),
  ]);

/** Selects the columns of a summary. */
export const selectRuns = selectRunFacts.select(({ selectFrom }) =>
  selectFrom("metric as t")
    .innerJoinLateral(
      (lateral) =>
        lateral
          .selectFrom("recorded_measurement as m")
          .select(countRows().as("count"))
          .whereRef("m.metric_id", "=", "t.id")
          .where("m.superseded", "=", false)
          .as("counted"),
      (join) => join.onTrue(),
    )
    .select((eb) => sumOf(eb.ref("counted.count")).as("count"))
    .whereRef("t.rollout_id", "=", "a.rollout_id")
    .whereRef("t.run_uid", "=", "a.uid")
    .$asScalar()
    .$notNull()
    .as("measurements"),
);

export type RunRow = RowOf<typeof selectRuns>;

export function serializeRun(row: RunRow): AnalysisRunSummary {
  return {
    uid: row.uid,
    cluster: row.cluster,
    namespace: row.namespace,
    name: row.name,
    rollout: rolloutOf(row),
    type: row.type,
    stepIndex: row.step_index,
    revision: row.revision,
    podHash: row.pod_hash,
    phase: asPhase(row.phase),
    message: row.message,
    startedAt: row.started_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    durationSeconds: computeDurationSeconds(row.started_at, row.completed_at),
    firstSeenAt: row.first_seen_at.toISOString(),
    terminated: row.terminated,
    presence: row.presence,
    measurements: row.measurements,
    lostMeasurements: row.lost,
    measurementsExpired: row.measurements_expired,
    contradiction: row.contradiction,
  };
}

/** Maps the phase. An empty one is not set by the controller yet; an unknown word is `Unknown`. */
export function asPhase(text: string): AnalysisPhase {
  const phase = AnalysisPhase.safeParse(text === "" ? "Pending" : text);
  return phase.success ? phase.data : "Unknown";
}

export function serializeRunCounts(byPhase: Record<string, number>): Omit<Release["runs"], "contradicted"> {
  return { total: Object.values(byPhase).reduce((sum, count) => sum + count, 0), byPhase };
}

type OwnedRow = Pick<RunRow, "cluster" | "namespace" | "owner_kind" | "owner_name" | "rollout_kind" | "rollout_name">;

/**
 * Returns the rollout of a run or an Experiment. It can be recorded before its rollout: then its owner reference names
 * that.
 */
export function rolloutOf(row: OwnedRow): AnalysisRunSummary["rollout"] {
  const isOwned = isRolloutKind(row.owner_kind);
  const kind = row.rollout_kind ?? (isOwned ? row.owner_kind : null);
  const name = row.rollout_name ?? (isOwned ? row.owner_name : null);
  if (kind === null || name === null) return null;
  const { cluster, namespace } = row;
  return { id: formatObjectRef({ cluster, namespace, kind, name }), cluster, namespace, kind, name };
}

const severities = { Failed: 7, Error: 6, Inconclusive: 5, Running: 4, Pending: 3, "": 3, Successful: 1 };

/**
 * Ranks the phase of a run or an Experiment: the worst has the highest number. Word for word as in the indexes of
 * prisma/migrations.
 */
export function phaseSeverity(phase: Expression<string>): RawBuilder<number> {
  return numberFor(phase, severities, expressionBuilder().lit(2));
}

/** Returns the condition that a run or an Experiment has the phase. The controller sets none at first: that is Pending. */
export function hasPhase(phase: Expression<string>, wanted: string): Condition {
  const eb = expressionBuilder();
  return wanted === "Pending" ? eb(phase, "in", ["Pending", ""]) : eb(phase, "=", wanted);
}
