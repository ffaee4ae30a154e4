import type { AnalysisPhase } from "#lib/contract/common.ts";
import type { MeasuringAgain, MetricEvidence } from "#lib/contract/evidence.ts";
import type { ExplainingProvider } from "#lib/domain/delivery/explaining.ts";
import { findDecidingRun } from "#lib/domain/delivery/find-deciding-run.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { isOfRun } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables, wantedRows } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { describeEvidence } from "#lib/server/records/describe-evidence.ts";
import { readCounters, type StoredMetric } from "#lib/server/records/metric-rows.ts";
import { metricKey, type NewestValues, readNewestValues } from "#lib/server/records/read-newest-values.ts";
import type { RolloutRow } from "#lib/server/records/rollout-row.ts";

/** The most metrics of a rollout; more are left out. */
export const maxMetrics = 6;

type EvidenceRun = Pick<RelevantRun, "uid" | "kind" | "rollout_id" | "created_at" | "spec">;
type MeasuredRun = Omit<EvidenceRun, "spec">;
type EvidenceRollout = Pick<RolloutRow, "id" | "phase" | "attention_reason" | "revision_key"> & {
  /** The runs that its status names; none if its object cannot be read. */
  runNames: readonly string[];
};
/** Reads and draws the rules and conditions of runs, by their provider. */
type Reader = {
  read(spec: unknown): {
    rules: ReturnType<ExplainingProvider["readSpec"]>;
    conditions: ReturnType<ExplainingProvider["readConditions"]>;
  };
  draw: ExplainingProvider["drawConditions"];
};
export type RolloutEvidence = { items: MetricEvidence[]; again: MeasuringAgain | null };

/**
 * Reads, by rollout, the metrics of the run that caused its state and of the runs that its status names. Undecided and
 * failed ones come first, each with its newest values. Runs one query per kind for the whole page.
 */
export async function readInboxEvidence(
  runtime: Runtime,
  rollouts: readonly EvidenceRollout[],
): Promise<Map<string, RolloutEvidence>> {
  const relevant = chooseRuns(rollouts, await readRows(runtime.pool, selectNewestRuns(rollouts)));
  const chosen = relevant.flatMap(({ measured }) => measured);
  const [specs, recorded] = await Promise.all([readSpecs(runtime, chosen), readRecorded(runtime, chosen)]);
  // A run that was deleted meanwhile has nothing to show.
  const runs = chosen.flatMap((run) => (specs.has(run.uid) ? [{ ...run, spec: specs.get(run.uid) }] : []));
  const evidence = Map.groupBy(describeRuns(runtime, runs, recorded), ({ run }) => run.rollout_id);
  return new Map(
    relevant.map(({ rolloutId, again }) => {
      const items = (evidence.get(rolloutId) ?? []).flatMap(({ items: own }) => own);
      return [rolloutId, { items: items.toSorted(byConcern).slice(0, maxMetrics), again }];
    }),
  );
}

/**
 * Reads the metrics of these runs in their own order, each with its newest values. `reading` is the metrics, if they are
 * being read already.
 */
export async function readEvidenceOfRuns<Run extends EvidenceRun>(
  runtime: Runtime,
  runs: readonly Run[],
  reading?: Promise<StoredMetric[]>,
): Promise<{ run: Run; items: MetricEvidence[] }[]> {
  return describeRuns(runtime, runs, await readRecorded(runtime, runs, reading));
}

type Recorded = { metrics: StoredMetric[]; values: Map<string, NewestValues> };

/** Reads the metrics of these runs with their newest values. */
async function readRecorded(
  runtime: Runtime,
  runs: readonly MeasuredRun[],
  reading: Promise<StoredMetric[]> = readCounters(runtime, runs),
): Promise<Recorded> {
  const [metrics, values] = await Promise.all([reading, readNewestValues(runtime, runs, reading)]);
  return { metrics, values };
}

function describeRuns<Run extends EvidenceRun>(
  { config }: Runtime,
  runs: readonly Run[],
  { metrics, values }: Recorded,
): { run: Run; items: MetricEvidence[] }[] {
  const metricsOf = Map.groupBy(metrics, (metric) => metric.run_uid);
  const readers = new Map<ExplainingProvider, Reader>();
  const { units } = config().config;
  return runs.map((run) => {
    const { explaining } = measuringProviderOf(run.kind);
    const reader = readers.get(explaining) ?? createReader(explaining);
    readers.set(explaining, reader);
    const { rules, conditions } = reader.read(run.spec);
    const { draw } = reader;
    const items = (metricsOf.get(run.uid) ?? []).map((metric) =>
      describeEvidence({
        metric,
        rules: rules.metrics.get(metric.name),
        defaults: explaining.defaultLimits,
        conditions: conditions.get(metric.name),
        draw,
        units,
        values: values.get(metricKey(run.uid, metric.name)),
      }),
    );
    return { run, items };
  });
}

function createReader(explaining: ExplainingProvider): Reader {
  return {
    read: remember((spec) => ({ rules: explaining.readSpec(spec), conditions: explaining.readConditions(spec) })),
    draw: remember(explaining.drawConditions, ({ successCondition, failureCondition }) =>
      JSON.stringify([successCondition, failureCondition]),
    ),
  };
}

/**
 * Caches parsed rules and conditions: parsing takes longer than the rest of a row, and the runs of a page share most of
 * them. `keyOf`: key of the cache; by default the input itself.
 */
function remember<Input, Output extends object>(
  parse: (input: Input) => Output,
  keyOf: (input: Input) => unknown = (input) => input,
): (input: Input) => Output {
  const known = new Map<unknown, Output>();
  return (input) => {
    const key = keyOf(input);
    const before = known.get(key);
    if (before !== undefined) return before;
    const output = parse(input);
    known.set(key, output);
    return output;
  };
}

const concern: Record<AnalysisPhase, number> = {
  Inconclusive: 0,
  Failed: 1,
  Error: 2,
  Running: 3,
  Pending: 4,
  Unknown: 5,
  Successful: 6,
};

function byConcern(one: MetricEvidence, other: MetricEvidence): number {
  return concern[one.phase] - concern[other.phase];
}

/** Selects the newest runs of some rollouts, as far as they are of the rollout's own revision. */
function selectNewestRuns(rollouts: readonly EvidenceRollout[]) {
  return tables
    .selectFrom(wantedRows({ id: "uuid", revision_key: "text" }, rollouts))
    .crossJoinLateral(({ selectFrom }) =>
      selectFrom("analysis_run as x")
        .select([
          "x.uid",
          "x.rollout_id",
          "x.name",
          "x.kind",
          "x.phase",
          "x.pod_hash",
          "x.created_at",
          "x.completed_at",
        ])
        .whereRef("x.rollout_id", "=", "wanted.id")
        .orderBy("x.created_at", "desc")
        .orderBy("x.uid")
        .limit(20)
        .as("a"),
    )
    .selectAll("a")
    .whereRef("a.pod_hash", "=", "wanted.revision_key");
}

type NewestRun = RowOf<ReturnType<typeof selectNewestRuns>>;
type RelevantRun = NewestRun & { spec: unknown };
type RelevantRuns = { rolloutId: string; measured: NewestRun[]; again: MeasuringAgain | null };

/** Specs are large: only those of the runs that are shown are read. Equal ones are the same object. */
export async function readSpecs(runtime: Runtime, runs: readonly MeasuredRun[]): Promise<Map<string, unknown>> {
  const query = tables
    .selectFrom("analysis_run as x")
    .select("x.uid")
    .select(({ cast }) => cast<string>("x.spec", "text").as("spec"))
    .where(({ ref }) => isOfRun([ref("x.rollout_id"), ref("x.uid")], runs));
  const parse = remember((text: string): object => JSON.parse(text));
  return new Map((await readRows(runtime.pool, query)).map(({ uid, spec }) => [uid, parse(spec)]));
}

function chooseRuns(rollouts: readonly EvidenceRollout[], rows: readonly NewestRun[]): RelevantRuns[] {
  const byRollout = Map.groupBy(rows, (row) => row.rollout_id);
  return rollouts.map((rollout) => {
    // In the order of the query, the newest first.
    const own = byRollout.get(rollout.id) ?? [];
    const named = new Set(rollout.runNames);
    const current = own.filter((row) => named.has(row.name));
    const deciding = own[findDecidingRun(own.map(toDecisive), stateOf(rollout))];
    // A run that measures again has no result yet, and would contradict the current state of the rollout.
    const again = deciding === undefined || current.includes(deciding) ? undefined : current.find(isUnderWay);
    const others = current.filter((row) => row !== again && row !== deciding);
    const known = deciding === undefined ? others : [deciding, ...others];
    // Nothing has ended, and the status names no run, such as Flagger's: the newest is the one that measures.
    const chosen = known.length === 0 ? own.slice(0, 1) : known;
    const undecided = chosen.filter((row) => row.phase !== "Successful");
    return {
      rolloutId: rollout.id,
      measured: undecided.length > 0 ? undecided : chosen,
      again: again === undefined ? null : { runUid: again.uid, since: again.created_at.toISOString() },
    };
  });
}

function isUnderWay({ phase }: NewestRun): boolean {
  return phase === "Running" || phase === "Pending";
}

function toDecisive({ phase, completed_at: completedAt }: NewestRun): { phase: string; completedAt: string | null } {
  return { phase, completedAt: completedAt?.toISOString() ?? null };
}

function stateOf({ phase, attention_reason: attention }: EvidenceRollout): Parameters<typeof findDecidingRun>[1] {
  return { phase, attention, aborted: phase === "Degraded" };
}

export type WorstFinding = {
  id: string;
  rule: string;
  title: string;
  /** The run that it is about, if any. */
  runUid: string | null;
};

/** Reads the oldest of each rollout's open critical findings, by rollout; rollouts without any are absent. */
export async function readWorstFindings(
  { pool }: Pick<Runtime, "pool">,
  ids: readonly string[],
): Promise<Map<string, WorstFinding>> {
  const findings = await prismaOn(pool).finding.findMany({
    where: { rolloutId: { in: [...ids] }, severity: "critical", closedAt: null, acknowledgedAt: null },
    orderBy: { since: "asc" },
    distinct: "rolloutId",
    select: { rolloutId: true, id: true, rule: true, title: true, runUid: true },
  });
  return new Map(findings.flatMap(({ rolloutId, ...finding }) => (rolloutId === null ? [] : [[rolloutId, finding]])));
}
