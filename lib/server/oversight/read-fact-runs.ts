import { sql } from "kysely";
import type { VerdictCheck } from "#lib/domain/delivery/verdict-check.ts";
import type { FactExperiment, FactMetric, FactRun } from "#lib/domain/oversight/rollout-facts.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

type Window = { rolloutId: string; from: string };

/** How far the cluster's clock may be behind ours. */
const clockToleranceMs = 60_000;
/** Only this many of the newest runs are checked for metrics that cannot fail: older ones were checked before. */
const rulesOf = 20;
/** Measurements of a metric that count for flapping. */
const flipWindow = 100;

/** Reads the runs that were created since a time, oldest first; if there are more than `limit`, the newest. */
export async function readFactRuns(
  connection: Connection,
  { rolloutId, from, limit }: Window & { limit: number },
): Promise<FactRun[]> {
  const rows = await readRows(
    connection,
    tables
      .selectFrom("analysis_run")
      .select(["uid", "kind", "name", "type", "step_index", "pod_hash", "phase", "created_at", "completed_at"])
      .select(["verdict_check", "spec"])
      .where("rollout_id", "=", rolloutId)
      .where("created_at", ">=", new Date(Date.parse(from) - clockToleranceMs))
      .orderBy("created_at", "desc")
      .orderBy("uid")
      .limit(limit),
  );
  const metrics = await readFactMetrics(connection, { rolloutId, uids: rows.map(({ uid }) => uid) });
  return rows
    .map((row, index) => ({
      uid: row.uid,
      name: row.name,
      type: row.type,
      stepIndex: row.step_index,
      runKey: row.pod_hash,
      phase: row.phase,
      createdAt: row.created_at.toISOString(),
      completedAt: row.completed_at?.toISOString() ?? null,
      // The recorder stored it (check-verdicts.ts).
      verdict: row.verdict_check as VerdictCheck | null,
      metrics: metrics.get(row.uid) ?? [],
      harmless: index < rulesOf ? findHarmless(row.kind, row.spec) : [],
    }))
    .toReversed();
}

function findHarmless(kind: string, spec: unknown): FactRun["harmless"] {
  const provider = measuringProviderOf(kind);
  const rules = provider.readRules(spec);
  return rules === undefined ? [] : (provider.findHarmless?.(rules) ?? []);
}

/** Reads the metrics of runs, with how often the newest measurements changed between good and bad. */
async function readFactMetrics(
  connection: Connection,
  { rolloutId, uids }: { rolloutId: string; uids: readonly string[] },
): Promise<Map<string, FactMetric[]>> {
  if (uids.length === 0) return new Map();
  const newest = tables
    .selectFrom("measurement as m")
    .select(["m.seq", "m.phase"])
    .where("m.rollout_id", "=", rolloutId)
    .where(({ ref }) => sql<boolean>`${ref("m.run_uid")} = metric.run_uid AND ${ref("m.metric")} = metric.name`)
    .where("m.superseded", "=", false)
    .where("m.finished_at", "is not", null)
    .where("m.phase", "in", ["Successful", "Failed", "Inconclusive"])
    .orderBy("m.seq", "desc")
    .limit(flipWindow);
  const judged = tables
    .selectFrom(newest.as("n"))
    .select(({ ref }) => [
      sql<boolean>`(${ref("n.phase")} = 'Successful')`.as("good"),
      sql<boolean | null>`lag(${ref("n.phase")} = 'Successful') OVER (ORDER BY ${ref("n.seq")})`.as("before"),
    ]);
  const flips = tables
    .selectFrom(judged.as("j"))
    .select(({ ref }) => [
      sql<number>`(count(*) FILTER (WHERE ${ref("j.good")} <> ${ref("j.before")}))::int`.as("flips"),
      sql<number>`count(*)::int`.as("looked"),
    ]);
  const gaps = tables
    .selectFrom("measurement_gap as g")
    .select(({ ref }) => [
      sql<number>`COALESCE(sum(${ref("g.count")}), 0)::int`.as("lost"),
      sql<boolean>`COALESCE(bool_or(${ref("g.open")}), false)`.as("is_open"),
    ])
    .where("g.rollout_id", "=", rolloutId)
    .where(({ ref }) => sql<boolean>`${ref("g.run_uid")} = metric.run_uid AND ${ref("g.metric")} = metric.name`);
  const again = tables
    .selectFrom("measurement as s")
    .select(sql<number>`count(*)::int`.as("again"))
    .where("s.rollout_id", "=", rolloutId)
    .where(({ ref }) => sql<boolean>`${ref("s.run_uid")} = metric.run_uid AND ${ref("s.metric")} = metric.name`)
    .where("s.superseded", "=", true);
  const rows = await readRows(
    connection,
    tables
      .selectFrom("metric")
      .innerJoinLateral(flips.as("f"), (join) => join.onTrue())
      .innerJoinLateral(gaps.as("g"), (join) => join.onTrue())
      .innerJoinLateral(again.as("s"), (join) => join.onTrue())
      .select(["metric.run_uid", "metric.name", "metric.dry_run", "f.flips", "f.looked"])
      .select(["g.lost", "g.is_open", "s.again"])
      .where("metric.rollout_id", "=", rolloutId)
      .where(({ ref }) => isOneOf(ref("metric.run_uid"), uids))
      .orderBy("metric.ord")
      .orderBy("metric.name"),
  );
  const found = new Map<string, FactMetric[]>();
  for (const row of rows) {
    const metric: FactMetric = {
      name: row.name,
      dryRun: row.dry_run,
      flips: row.flips,
      looked: row.looked,
      lost: row.lost,
      takenAgain: row.again,
      isLossOpen: row.is_open,
    };
    const own = found.get(row.run_uid);
    if (own === undefined) found.set(row.run_uid, [metric]);
    else own.push(metric);
  }
  return found;
}

export async function readFactExperiments(
  connection: Connection,
  { rolloutId, from }: Window,
): Promise<FactExperiment[]> {
  const rows = await prismaOn(connection).experiment.findMany({
    where: { rolloutId, createdAt: { gte: new Date(Date.parse(from) - clockToleranceMs) } },
    orderBy: { createdAt: "desc" },
    take: 100,
    select: { uid: true, name: true, podHash: true, phase: true, completedAt: true },
  });
  return rows.toReversed().map(({ uid, name, podHash, phase, completedAt }) => ({
    ...{ uid, name, runKey: podHash, phase },
    completedAt: completedAt?.toISOString() ?? null,
  }));
}
