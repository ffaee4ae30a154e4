import type {
  BacktestAnswer,
  BacktestCounts,
  BacktestRequest,
  BacktestRun,
  BacktestTotals,
  BacktestVerdict,
} from "#lib/contract/backtest.ts";
import type { FaultyField, MetricVerdict, RunBacktest, RunVerdict, Undecided } from "#lib/domain/delivery/backtest.ts";
import { endedPhases, type RunPhase } from "#lib/domain/delivery/run-phase.ts";
import { backtestedKinds, rolloutKindOf } from "#lib/domain/providers.ts";
import { readControllerVersion } from "#lib/server/clusters/sources/read-related-state.ts";
import { evaluateFor } from "#lib/server/pages/template/evaluate.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { rolloutOf } from "#lib/server/records/run-row.ts";
import { replayRuns } from "./replay-runs.ts";
import { type RunRow, readBacktestRuns, readRunMetrics } from "./select-backtest-runs.ts";

/** A longer back-test is stopped. */
const limitMs = 60_000;

/**
 * Replays recorded runs with a metric under changed rules. Throws `invalid_request` for a proposal that cannot be
 * evaluated, with the position, and for one that takes too long. Stops if the client leaves.
 */
export async function runBacktest({
  ctx,
  input,
  request,
}: Call<BacktestRequest> & { request: Pick<Request, "signal"> }): Promise<BacktestAnswer> {
  const { metric, proposal, filter, runUids } = input;
  const startedAt = performance.now();
  await assertFaultless(ctx, proposal);
  const limit = runUids?.length ?? filter?.limit ?? 0;
  const found = await readBacktestRuns(ctx, { metric, filter, runUids, limit });
  const selected = found.slice(0, limit);
  const metrics = await readRunMetrics(ctx.runtime, selected, metric);
  const versions = await readVersions(ctx, selected);
  const assertWanted = () => {
    if (request.signal.aborted) throw new ServiceError("unavailable", "The back-test was cancelled.");
    if (performance.now() - startedAt > limitMs) throw tooLong();
  };
  const runs: BacktestRun[] = [];
  for await (const { run, result } of replayRuns(ctx, selected, {
    metric,
    proposal,
    metrics,
    versions,
    assertWanted,
  })) {
    const own = metrics.get(run.uid)?.find(({ name }) => name === metric);
    runs.push(serializeBacktest(run, own?.phase ?? null, result));
  }
  return { metric, totals: sumUp(runs), truncated: found.length > selected.length, runs };
}

/** Reads the versions of the controllers that would evaluate a proposal, by cluster. */
async function readVersions({ runtime }: ServiceContext, runs: readonly RunRow[]) {
  const versions = new Map<string, string>();
  for (const [cluster, kind] of new Map(runs.map((run) => [run.cluster, run.kind]))) {
    const version = await readControllerVersion(runtime.pool, { cluster, kind: rolloutKindOf(kind) });
    if (version !== undefined) versions.set(cluster, version);
  }
  return versions;
}

async function assertFaultless(ctx: ServiceContext, proposal: BacktestRequest["proposal"]): Promise<void> {
  const [kind] = backtestedKinds;
  if (kind === undefined) return;
  const faults = await evaluateFor(ctx, "findFaults", { kind, proposal });
  const [first] = faults;
  if (first === undefined) return;
  const invalidParams = faults.map((fault) => ({ name: nameOf(fault), ...reasonOf(fault) }));
  throw new ServiceError("invalid_request", `${nameOf(first)}: ${reasonOf(first).reason}`, { invalidParams });
}

function nameOf({ field }: FaultyField): string {
  return `proposal.${field}`;
}

function reasonOf({ text, position }: FaultyField) {
  if (position === undefined) return { reason: text };
  return { reason: `${text} (line ${position.line}, column ${position.column})`, position };
}

function tooLong(): ServiceError {
  return new ServiceError(
    "invalid_request",
    `The back-test was stopped after ${limitMs / 1000} seconds. Choose a shorter period or fewer runs.`,
  );
}

const unreadable: Undecided = { code: "spec", text: "The recorded rules cannot be read." };
const notReplayed: RunBacktest = {
  isDryRun: false,
  replayed: { run: { undecided: unreadable }, metric: { undecided: unreadable } },
  proposed: { run: { undecided: unreadable }, metric: { undecided: unreadable } },
  firstDifference: null,
  measurements: 0,
};

/** `result` is undefined if the rules of the run cannot be read. */
function serializeBacktest(run: RunRow, metricPhase: RunPhase | null, result: RunBacktest | undefined): BacktestRun {
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

function sumUp(runs: readonly BacktestRun[]): BacktestTotals {
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
