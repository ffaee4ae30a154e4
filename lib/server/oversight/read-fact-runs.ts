import type { VerdictCheck } from "#lib/domain/delivery/verdict-check.ts";
import type { FactExperiment, FactMetric, FactRun } from "#lib/domain/oversight/rollout-facts.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows, sumOf } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { phaseCodes } from "#lib/server/records/measurement-codes.ts";

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
  const rows = await prismaOn(connection).analysisRun.findMany({
    where: { rolloutId, createdAt: { gte: new Date(Date.parse(from) - clockToleranceMs) } },
    orderBy: [{ createdAt: "desc" }, { uid: "asc" }],
    take: limit,
    select: {
      uid: true,
      kind: true,
      name: true,
      type: true,
      stepIndex: true,
      podHash: true,
      phase: true,
      createdAt: true,
      completedAt: true,
      verdictCheck: true,
      spec: true,
    },
  });
  const metrics = await readFactMetrics(connection, { rolloutId, uids: rows.map(({ uid }) => uid) });
  return rows
    .map(({ podHash: runKey, createdAt, completedAt, verdictCheck, kind, spec, ...run }, index) => ({
      ...run,
      runKey,
      createdAt: createdAt.toISOString(),
      completedAt: completedAt?.toISOString() ?? null,
      // The recorder stored it (check-verdicts.ts).
      verdict: verdictCheck as VerdictCheck | null,
      metrics: metrics.get(run.uid) ?? [],
      harmless: index < rulesOf ? findHarmless(kind, spec) : [],
    }))
    .toReversed();
}

function findHarmless(kind: string, spec: unknown): FactRun["harmless"] {
  const provider = measuringProviderOf(kind);
  const rules = provider.readRules(spec);
  return rules === undefined ? [] : (provider.findHarmless?.(rules) ?? []);
}

const { selectFrom } = fragment<{ metric: "metric" }>();

const newest = selectFrom("recorded_measurement as m")
  .select(["m.seq", "m.phase"])
  .whereRef("m.metric_id", "=", "metric.id")
  .where("m.superseded", "=", false)
  .where("m.finished_at", "is not", null)
  .where("m.phase", "in", [phaseCodes.Successful, phaseCodes.Failed, phaseCodes.Inconclusive])
  .orderBy("m.seq", "desc")
  .limit(flipWindow);
const judged = selectFrom(newest.as("n")).select((eb) => {
  const isGood = eb("n.phase", "=", phaseCodes.Successful);
  return [
    isGood.as("good"),
    eb.fn
      .agg<boolean | null>("lag", [isGood])
      .over((o) => o.orderBy("n.seq"))
      .as("before"),
  ];
});
/** How often the newest measurements of `metric` changed between good and bad. */
const flips = selectFrom(judged.as("j"))
  .select(({ eb, ref }) => [countRows(eb("j.good", "<>", ref("j.before"))).as("flips"), countRows().as("looked")])
  .as("f");
/** How many measurements of `metric` were lost. */
const losses = selectFrom("measurement_gap as g")
  .select(({ fn, lit, ref }) => [
    sumOf(ref("g.count")).as("lost"),
    fn.coalesce(fn<boolean | null>("bool_or", ["g.open"]), lit(false)).as("is_open"),
  ])
  .whereRef("g.metric_id", "=", "metric.id")
  .as("g");
/** How many measurements of `metric` were taken again. */
const retakes = selectFrom("recorded_measurement as s")
  .select(countRows().as("again"))
  .whereRef("s.metric_id", "=", "metric.id")
  .where("s.superseded", "=", true)
  .as("s");

/** Reads the metrics of runs, with how often the newest measurements changed between good and bad. */
async function readFactMetrics(
  connection: Connection,
  { rolloutId, uids }: { rolloutId: string; uids: readonly string[] },
): Promise<Map<string, FactMetric[]>> {
  if (uids.length === 0) return new Map();
  const rows = await readRows(
    connection,
    tables
      .selectFrom("metric")
      .innerJoinLateral(flips, (join) => join.onTrue())
      .innerJoinLateral(losses, (join) => join.onTrue())
      .innerJoinLateral(retakes, (join) => join.onTrue())
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
