import { setTimeout as sleep } from "node:timers/promises";
import { storedGaps, storedMeasurements } from "#test/measurement-rows.ts";
import { planRun } from "./plan-run.ts";
import type { BenchCluster } from "./start-cluster.ts";
import type { Gatehouse } from "./start-gatehouse.ts";

export type SoakOptions = { runs: number; perSecond: number; dropsPerMinute: number; seed: number };

export type SoakResult = {
  drops: number;
  longestLifeMs: number;
  late: number;
  /** Time from the last deletion until the last run was recorded as deleted; undefined if some never were. */
  settledMs: number | undefined;
  finalStates: number;
  measurements: number;
  inGaps: number;
  /** Wrong or missing facts in the record; the goal is an empty list. */
  wrong: string[];
};

/** Plays short runs against a live recorder, then compares the record with what happened. */
export async function recordSoak({
  cluster,
  gatehouse,
  options,
}: {
  cluster: BenchCluster;
  gatehouse: Gatehouse;
  options: SoakOptions;
}): Promise<SoakResult> {
  const { drops, longestMs, late } = await cluster.churn({ from: 0, ...options });
  const settledMs = await untilSettled(gatehouse, options.runs);
  const result: SoakResult = {
    drops,
    longestLifeMs: longestMs,
    late,
    settledMs,
    finalStates: 0,
    measurements: 0,
    inGaps: 0,
    wrong: [],
  };
  const step = 500;
  for (let from = 0; from < options.runs; from += step)
    await compare({ gatehouse, from, to: Math.min(options.runs, from + step), result });
  return result;
}

/** Waits until all runs are settled; gives up after 20 s in which nothing more was recorded. */
async function untilSettled(gatehouse: Gatehouse, runs: number): Promise<number | undefined> {
  const began = performance.now();
  let [best, bestAt] = [-1, began];
  while (performance.now() - bestAt < 20_000) {
    const [row] = await gatehouse.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM analysis_run WHERE name LIKE 'short-%' AND presence <> 'live'",
    );
    const count = row?.count ?? 0;
    if (count === runs) return performance.now() - began;
    if (count > best) [best, bestAt] = [count, performance.now()];
    await sleep(200);
  }
  return undefined;
}

type RunRow = { uid: string; name: string; phase: string; presence: string; completed: boolean };
type MetricRow = { name: string; metric: string; count: number; error: number; inconsistent: boolean };
type MeasurementRow = {
  name: string;
  metric: string;
  seq: number;
  finished: boolean;
  phase: string;
  value: string | null;
};
type GapRow = { name: string; metric: string; after_seq: number; count: number };

async function compare(options: { gatehouse: Gatehouse; from: number; to: number; result: SoakResult }): Promise<void> {
  const { gatehouse, from, to, result } = options;
  const expected = Array.from({ length: to - from }, (_, index) => planRun(from + index).expected);
  const names = expected.map(({ name }) => name);
  const runs = await gatehouse.query<RunRow>(
    "SELECT uid, name, phase, presence, completed_at IS NOT NULL AS completed FROM analysis_run WHERE name = ANY($1)",
    [names],
  );
  const metrics = await gatehouse.query<MetricRow>(
    `SELECT run.name, metric.name AS metric, count, error, inconsistent
       FROM metric JOIN analysis_run run ON run.uid = run_uid WHERE run.name = ANY($1)`,
    [names],
  );
  const measurements = await gatehouse.query<MeasurementRow>(
    `SELECT run.name, metric, seq, finished_at IS NOT NULL AS finished, measurement.phase, value
       FROM ${storedMeasurements()} JOIN analysis_run run ON run.rollout_id = measurement.rollout_id AND run.uid = run_uid
      WHERE run.name = ANY($1)`,
    [names],
  );
  const gaps = await gatehouse.query<GapRow>(
    `SELECT run.name, metric, after_seq, count FROM ${storedGaps()} JOIN analysis_run run ON run.uid = run_uid
      WHERE run.name = ANY($1)`,
    [names],
  );
  const of = <Row extends { name: string }>(rows: Row[]): Map<string, Row[]> => Map.groupBy(rows, (row) => row.name);
  const rows = { runs: of(runs), metrics: of(metrics), measurements: of(measurements), gaps: of(gaps) };
  for (const run of expected) {
    const wrong = (text: string): void => void result.wrong.push(`${run.name}: ${text}`);
    const stored = rows.runs.get(run.name) ?? [];
    const [state] = stored;
    if (stored.length !== 1 || state === undefined) {
      wrong(`recorded ${stored.length} times`);
      continue;
    }
    if (state.phase !== run.phase || state.presence !== "deleted" || !state.completed)
      wrong(`recorded as ${state.phase}, ${state.presence}, in place of ${run.phase}, deleted`);
    else result.finalStates += 1;
    for (const metric of rows.metrics.get(run.name) ?? []) {
      const counters = run.counters.get(metric.metric);
      if (metric.inconsistent) wrong(`${metric.metric} is marked inconsistent`);
      if (metric.count !== counters?.count || metric.error !== counters.error)
        wrong(`${metric.metric} counts ${metric.count} and ${metric.error} errors`);
    }
    compareMeasurements({
      run,
      rows: rows.measurements.get(run.name) ?? [],
      gaps: rows.gaps.get(run.name) ?? [],
      result,
      wrong,
    });
  }
}

function compareMeasurements(options: {
  run: ReturnType<typeof planRun>["expected"];
  rows: readonly MeasurementRow[];
  gaps: readonly GapRow[];
  result: SoakResult;
  wrong: (text: string) => void;
}): void {
  const { run, rows, gaps, result, wrong } = options;
  const stored = new Map(rows.filter((row) => row.finished).map((row) => [`${row.metric}/${row.seq}`, row]));
  if (stored.size !== rows.filter((row) => row.finished).length) wrong("a measurement is recorded twice");
  const inGap = new Set(
    gaps.flatMap((gap) =>
      Array.from({ length: gap.count }, (_, index) => `${gap.metric}/${gap.after_seq + 1 + index}`),
    ),
  );
  for (const [key, { phase, value }] of run.measurements) {
    const row = stored.get(key);
    if (row === undefined) {
      // The cluster has shown it, but the record lacks it: acceptable only if the record has a gap there.
      if (inGap.has(key)) result.inGaps += 1;
      else wrong(`${key} is neither recorded nor in a gap`);
    } else if (row.phase !== phase || (row.value ?? "") !== value)
      wrong(`${key} is recorded as ${row.phase} ${row.value}`);
    else result.measurements += 1;
    if (row !== undefined && inGap.has(key)) wrong(`${key} is recorded and in a gap`);
  }
  for (const key of run.lost) {
    if (inGap.has(key)) result.inGaps += 1;
    else wrong(`${key} was lost and is in no gap`);
  }
  for (const key of [...stored.keys(), ...inGap])
    if (!run.measurements.has(key) && !run.lost.has(key)) wrong(`${key} never happened`);
}
