import { sql } from "kysely";
import type { Proposal, RunBacktest, RunToReplay } from "#lib/domain/delivery/backtest.ts";
import { endedPhases } from "#lib/domain/delivery/run-phase.ts";
import { evaluateFor } from "#lib/server/pages/template/evaluate.ts";
import { isOfRun, type RunKey } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { PartOutcome, RunPart } from "#lib/server/platform/evaluation/replay-batch.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { phaseCodes, valueText } from "#lib/server/records/measurement-codes.ts";
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

const endedCodes = endedPhases.map((phase) => phaseCodes[phase]);

/** Limits of a batch per run: the number of measurements, and the bytes of their values. */
const batchSize = { measurements: 5000, text: 4_000_000 };

/** The measurements of a run that follow a number, as one JSON text: a row per measurement costs several times more. */
function selectBatch(after: number) {
  return tables.selectFrom("metric as t").innerJoinLateral(
    ({ selectFrom }) =>
      selectFrom(
        selectFrom("recorded_measurement as m")
          .select([
            "m.seq",
            "m.phase",
            valueText.as("value"),
            "m.message",
            "m.escaped",
            "m.started_at",
            "m.finished_at",
          ])
          .select(({ ref }) =>
            sql<number>`sum(octet_length(${valueText})) OVER (ORDER BY ${ref("m.seq")} ROWS UNBOUNDED PRECEDING)`.as(
              "text",
            ),
          )
          .whereRef("m.metric_id", "=", "t.id")
          .where("m.superseded", "=", false)
          .where("m.phase", "in", endedCodes)
          .where("m.last_seq", ">", after)
          .where("m.seq", ">", after)
          .orderBy("m.seq")
          .limit(batchSize.measurements)
          .as("page"),
      )
        .select(({ eb, fn, lit, ref }) => [
          sql<string | null>`json_agg(json_build_array(
            ${ref("page.seq")},
            ${ref("page.phase")},
            ${ref("page.value")},
            CASE WHEN ${ref("page.phase")} = ${sql.lit(phaseCodes.Error)} THEN left(${ref("page.message")}, 200) END,
            (date_part('epoch', ${ref("page.started_at")}) * 1000)::int8,
            (date_part('epoch', ${ref("page.finished_at")}) * 1000)::int8,
            ${ref("page.escaped")} AND position('\\' IN ${ref("page.value")}) > 0
          ) ORDER BY ${ref("page.seq")})::text`.as("rows"),
          countRows().as("count"),
          fn.coalesce(fn.max("page.seq"), lit(0)).as("last"),
          fn.coalesce(eb(fn.max("page.text"), ">=", batchSize.text).$castTo<boolean>(), lit(false)).as("is_cut"),
        ])
        // At least one, however long its value is.
        .where((eb) =>
          eb.or([
            eb("page.text", "is", null),
            eb(
              eb("page.text", "-", eb.fn<number>("octet_length", [eb.fn.coalesce("page.value", sql.lit(""))])),
              "<",
              batchSize.text,
            ),
          ]),
        )
        .as("batch"),
    (join) => join.onTrue(),
  );
}

const selectRows = (after: number) =>
  selectBatch(after).select(["t.run_uid as uid", "batch.rows", "batch.count", "batch.last", "batch.is_cut"]);
type BatchRow = RowOf<ReturnType<typeof selectRows>>;

type MeasurementBatch = { readonly rows: string | undefined; readonly last: number; readonly hasMore: boolean };

/** Reads the finished measurements of a metric in some runs, from the one after `after`, up to the batch's size. */
export async function readMeasurementBatch(
  { pool }: Runtime,
  { runs, metric, after }: { runs: readonly RunKey[]; metric: string; after: number },
): Promise<ReadonlyMap<string, MeasurementBatch>> {
  const rows = await readRows(
    pool,
    selectRows(after)
      .where(({ ref }) => isOfRun([ref("t.rollout_id"), ref("t.run_uid")], runs))
      .where("t.name", "=", metric),
  );
  return new Map(rows.map((row) => [row.uid, toBatch(row)]));
}

function toBatch({ rows, count, last, is_cut }: BatchRow): MeasurementBatch {
  const hasMore = count === batchSize.measurements || is_cut === true;
  return { rows: rows ?? undefined, last: last ?? 0, hasMore };
}
