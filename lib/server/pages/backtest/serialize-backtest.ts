import type { BacktestCounts, BacktestRun, BacktestTotals, BacktestVerdict } from "#lib/contract/backtest.ts";
import type { MetricVerdict, RunBacktest, RunVerdict, Undecided } from "#lib/domain/delivery/backtest.ts";
import { endedPhases, type RunPhase } from "#lib/domain/delivery/run-phase.ts";
import { rolloutOf } from "#lib/server/records/run-row.ts";
import type { RunRow } from "./select-backtest-runs.ts";

const unreadable: Undecided = { code: "spec", text: "The recorded rules cannot be read." };
const notReplayed: RunBacktest = {
  isDryRun: false,
  replayed: { run: { undecided: unreadable }, metric: { undecided: unreadable } },
  proposed: { run: { undecided: unreadable }, metric: { undecided: unreadable } },
  firstDifference: null,
  measurements: 0,
};

/** `result` is undefined if the rules of the run cannot be read. */
export function serializeBacktest(
  run: RunRow,
  metricPhase: RunPhase | null,
  result: RunBacktest | undefined,
): BacktestRun {
  const { isDryRun, replayed, proposed, firstDifference, measurements } = result ?? notReplayed;
  return {
    uid: run.uid,
    cluster: run.cluster,
    namespace: run.namespace,
    name: run.name,
    rollout: rolloutOf(run),
    revision: run.revision,
    createdAt: run.created_at.toISOString(),
    completedAt: run.completed_at?.toISOString() ?? null,
    dryRun: isDryRun,
    measurements,
    recorded: { run: endedPhases.find((phase) => phase === run.phase) ?? "Error", metric: metricPhase },
    replayed: { run: serializeVerdict(replayed.run), metric: serializeVerdict(replayed.metric) },
    proposed: { run: serializeVerdict(proposed.run), metric: serializeVerdict(proposed.metric) },
    firstDifference:
      firstDifference === null
        ? null
        : {
            ...firstDifference,
            finishedAt: firstDifference.finishedAt === null ? null : new Date(firstDifference.finishedAt).toISOString(),
          },
  };
}

function serializeVerdict(verdict: MetricVerdict | RunVerdict): BacktestVerdict {
  if ("undecided" in verdict) {
    const { code, text, seq } = verdict.undecided;
    return { phase: "undecided", code, text, ...(seq === undefined ? {} : { seq }) };
  }
  if (!("isEndedByRun" in verdict)) return { phase: verdict.phase };
  const { phase, seq, message, isEndedByRun } = verdict;
  return {
    phase,
    ...(message === undefined ? {} : { text: message }),
    ...(seq === undefined ? {} : { seq }),
    endedByRun: isEndedByRun,
  };
}

export function sumUp(runs: readonly BacktestRun[]): BacktestTotals {
  const undecided: BacktestTotals["undecided"] = {};
  for (const { proposed } of runs) {
    const { code } = proposed.run;
    if (code !== undefined) undecided[code] = (undecided[code] ?? 0) + 1;
  }
  return {
    runs: runs.length,
    measurements: runs.reduce((sum, run) => sum + run.measurements, 0),
    dryRuns: runs.filter((run) => run.dryRun).length,
    changed: runs.filter(({ recorded, proposed: { run } }) => run.phase !== "undecided" && run.phase !== recorded.run)
      .length,
    recorded: count(runs.map(({ recorded }) => recorded.run)),
    replayed: count(runs.map(({ replayed }) => replayed.run.phase)),
    proposed: count(runs.map(({ proposed }) => proposed.run.phase)),
    undecided,
  };
}

function count(phases: readonly BacktestVerdict["phase"][]): BacktestCounts {
  const counts = { Successful: 0, Failed: 0, Error: 0, Inconclusive: 0, undecided: 0 };
  for (const phase of phases) counts[phase]++;
  return counts;
}
