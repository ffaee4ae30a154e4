import type { Proposal, RunBacktest, RunToReplay } from "#lib/domain/delivery/backtest.ts";
import { endedPhases } from "#lib/domain/delivery/run-phase.ts";
import { evaluateFor } from "#lib/server/pages/template/evaluate-for.ts";
import type { PartOutcome, RunPart } from "#lib/server/platform/evaluation/replay-batch.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { batchSize, type MeasurementBatch, readMeasurementBatch } from "./read-measurement-batch.ts";
import type { RunRow } from "./select-backtest-runs.ts";

/** Runs whose measurements are read by one query: more would take too long in one task. */
const maxRunsInBatch = 100;

type Asked = {
  readonly metric: string;
  readonly proposal: Proposal;
  readonly metrics: ReadonlyMap<string, RunToReplay["metrics"]>;
  /** Versions of the controllers, by cluster. */
  readonly versions: ReadonlyMap<string, string>;
  /** Throws once the replay should stop. */
  readonly assertWanted: () => void;
};

/**
 * Replays the runs, newest first, and yields the result of each; undefined if its rules cannot be read. Holds at most
 * three batches of measurements: while a thread replays one, the next of a long run and of the next runs are read.
 */
export async function* replayRuns(
  ctx: ServiceContext,
  runs: readonly RunRow[],
  asked: Asked,
): AsyncGenerator<{ run: RunRow; result: RunBacktest | undefined }> {
  const groups = groupBySize(runs);
  const read = (group: readonly RunRow[] | undefined) =>
    group === undefined
      ? undefined
      : settled(readMeasurementBatch(ctx.runtime, { runs: group, metric: asked.metric, after: 0 }));
  let next = read(groups[0]);
  for (const [index, group] of groups.entries()) {
    asked.assertWanted();
    const batches = unwrap(await next);
    next = read(groups[index + 1]);
    const [first] = group;
    const ahead =
      group.length === 1 && first !== undefined ? readNext(ctx, asked, first, batches.get(first.uid)) : undefined;
    const outcomes = await replayParts(
      ctx,
      asked,
      group.map((run) => toPart(run, batches.get(run.uid), asked)),
    );
    for (const [place, run] of group.entries()) {
      yield {
        run,
        result: await followRun(ctx, asked, { run, batch: batches.get(run.uid), ahead, outcome: outcomes[place] }),
      };
    }
  }
}

/** Replays the rest of a long run, batch by batch. */
async function followRun(
  ctx: ServiceContext,
  asked: Asked,
  start: { run: RunRow; batch: MeasurementBatch | undefined; ahead: Ahead; outcome: PartOutcome | undefined },
): Promise<RunBacktest | undefined> {
  let { batch, ahead, outcome } = start;
  const { run } = start;
  while (outcome !== undefined && "state" in outcome) {
    asked.assertWanted();
    const { state, isSettled } = outcome;
    batch = isSettled ? undefined : unwrap(await (ahead ?? readNext(ctx, asked, run, batch))).get(run.uid);
    ahead = isSettled ? undefined : readNext(ctx, asked, run, batch);
    [outcome] = await replayParts(ctx, asked, [{ ...toPart(run, batch, asked), state }]);
  }
  return outcome !== undefined && "result" in outcome ? outcome.result : undefined;
}

type Ahead = Promise<Settled<ReadonlyMap<string, MeasurementBatch>>> | undefined;

/** Starts to read the next batch of a run; undefined after the last one. */
function readNext(
  { runtime }: ServiceContext,
  { metric }: Asked,
  run: RunRow,
  batch: MeasurementBatch | undefined,
): Ahead {
  if (batch?.hasMore !== true) return undefined;
  return settled(readMeasurementBatch(runtime, { runs: [run], metric, after: batch.last }));
}

function replayParts(
  ctx: ServiceContext,
  { metric, proposal }: Asked,
  runs: readonly RunPart[],
): Promise<PartOutcome[]> {
  return evaluateFor(ctx, "backtest", { metric, proposal, runs });
}

/** Makes groups of runs that together have about as many measurements as a batch holds. */
function groupBySize(runs: readonly RunRow[]): RunRow[][] {
  const groups: RunRow[][] = [];
  let room = 0;
  for (const run of runs) {
    const group = groups.at(-1);
    if (group === undefined || run.taken > room || group.length >= maxRunsInBatch) {
      groups.push([run]);
      room = batchSize.measurements - run.taken;
    } else {
      group.push(run);
      room -= run.taken;
    }
  }
  return groups;
}

function toPart(run: RunRow, batch: MeasurementBatch | undefined, { metrics, versions }: Asked): RunPart {
  return {
    kind: run.kind,
    spec: run.spec,
    controllerVersion: versions.get(run.cluster),
    run: {
      phase: endedPhases.find((phase) => phase === run.phase) ?? "Error",
      isTerminated: run.terminated,
      startedAt: (run.started_at ?? run.created_at).getTime(),
      endedAt: run.completed_at?.getTime(),
      metrics: metrics.get(run.uid) ?? [],
    },
    rows: batch?.rows,
    isLast: batch?.hasMore !== true,
  };
}

type Settled<Value> = { value: Value } | { error: unknown };

/** Keeps a read that is no longer awaited from becoming an unhandled rejection. */
function settled<Value>(promise: Promise<Value>): Promise<Settled<Value>> {
  return promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}

function unwrap<Value>(outcome: Settled<ReadonlyMap<string, Value>> | undefined): ReadonlyMap<string, Value> {
  if (outcome === undefined) return new Map();
  if ("error" in outcome) throw outcome.error;
  return outcome.value;
}
