import { z } from "zod";
import {
  type AnalysisRunDetail,
  type AnalysisRunSummary,
  type RunMetric,
  VerdictCheck,
} from "#lib/contract/analysis-run.ts";
import { formatLimitUse } from "#lib/domain/delivery/limit-words.ts";
import { runPhases } from "#lib/domain/delivery/run-phase.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { readEvidenceOfRuns } from "#lib/server/pages/inbox/inbox-evidence.ts";
import { linksOfRun, readImageOf } from "#lib/server/pages/links/list-links.ts";
import { readRunMarks, readWeights } from "#lib/server/pages/run/read-run-surroundings.ts";
import { evaluateForPage } from "#lib/server/pages/template/evaluate.ts";
import { findRunTemplates } from "#lib/server/pages/template/fitting-templates.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { describeMetric, toCountedMetric } from "#lib/server/records/describe-metric.ts";
import { type MetricRow, readGaps, readMetrics } from "#lib/server/records/metric-rows.ts";
import { rolloutOf, runPlace, selectRunFacts, serializeRun } from "#lib/server/records/run-row.ts";

const selectDetails = selectRunFacts
  .leftJoin("experiment as e", "e.uid", "a.owner_uid")
  .select([
    "a.created_at",
    "a.spec",
    "a.run_summary",
    "a.dry_run_summary",
    "a.verdict_check",
    "a.verdict_checked_at",
    "e.uid as experiment_uid",
    "e.name as experiment_name",
  ])
  // Objects are large: only a background run needs its rollout's.
  .select((eb) => eb.case().when("a.type", "=", "Background").then(eb.ref("r.object")).end().as("rollout_object"));

type DetailRow = RowOf<typeof selectDetails>;

/** Returns one analysis run, live or past, with its metrics. Throws `not_found`. */
export async function getRun({ ctx, input }: Call<{ uid: string }>): Promise<AnalysisRunDetail> {
  const { runtime, actor } = ctx;
  const query = selectDetails.where((eb) => allOf([eb("a.uid", "=", input.uid), isReadable(actor.rights, runPlace)]));
  const row = await readRow(runtime.pool, query);
  if (row === undefined) throw new ServiceError("not_found", `There is no analysis run ${input.uid}.`);
  // Counts the measurements, which takes a while if there are many: once is enough.
  const reading = readMetrics(runtime, [row]);
  const describing = reading.then((metrics) => explainRun(ctx, row, metrics));
  const [metricRows, described, gaps, weights, templates, [measured], image, marks] = await Promise.all([
    reading,
    describing,
    readGaps(runtime, row),
    readWeights(runtime, row),
    findRunTemplates(runtime, row),
    readEvidenceOfRuns(runtime, [row], reading),
    readImageOf(runtime, { rolloutId: row.rollout_id, runKey: row.pod_hash }),
    readRunMarks(runtime, row),
  ]);
  const { explaining } = measuringProviderOf(row.kind);
  const spec = explaining.readSpec(row.spec);
  const measurements = metricRows.reduce((sum, { recorded }) => sum + recorded, 0);
  const summary = serializeRun({ ...row, measurements });
  const { rollout } = summary;
  const createdBy = creatorOf(row);
  const links = linksOfRun(runtime, row, {
    name: rollout?.name ?? null,
    kind: rollout?.kind ?? null,
    image,
    creator: createdBy,
  });
  const verdictCheck = serializeCheck(row);
  const replayed = readReplayedPhases(verdictCheck);
  const metrics = metricRows.map((metric) => ({
    replayedPhase: replayed.ofMetric.get(metric.name) ?? null,
    ...describeMetric({
      row: metric,
      rules: spec.metrics.get(metric.name),
      defaults: explaining.defaultLimits,
      described: described?.metrics.get(metric.name),
      gaps: gaps.filter((gap) => gap.metric === metric.name),
      units: runtime.config().config.units,
    }),
    links: links.ofMetric(metric),
  }));
  return {
    ...summary,
    verdict: formatVerdict({
      phase: summary.phase,
      message: summary.message,
      metrics,
      replayedPhase: replayed.ofRun,
      explanation: explain(row, described?.explanation),
    }),
    start: described?.start ?? null,
    verdictCheck,
    metrics,
    args: spec.args,
    templates,
    experiment:
      row.experiment_uid === null || row.experiment_name === null
        ? null
        : { uid: row.experiment_uid, name: row.experiment_name },
    createdBy,
    runSummary: readCounts(row.run_summary),
    dryRunSummary: readCounts(row.dry_run_summary),
    weights,
    marks,
    evidence: measured?.items ?? [],
    links: links.ofRun,
  };
}

/** Explains the rules of a run and what they made of it, in a separate thread; undefined if that takes too long. */
function explainRun(ctx: ServiceContext, row: DetailRow, metrics: readonly MetricRow[]) {
  return evaluateForPage(ctx, "describe", {
    kind: row.kind,
    rules: row.spec,
    metrics: metrics.map(toCountedMetric),
    phase: runPhases.find((each) => each === row.phase),
    message: row.message,
    rollout: row.rollout_object ?? undefined,
  });
}

function creatorOf({ type, owner_kind: kind, owner_name: name }: DetailRow): AnalysisRunDetail["createdBy"] {
  return type === "Manual" && kind !== null && name !== null ? { kind, name } : null;
}

type DecidingMetric = Pick<RunMetric, "name" | "phase" | "dryRun" | "counters" | "limits">;

/**
 * Puts the verdict into words: the deciding metrics with their numbers, else the controller's message. That message is
 * silent about a success, so then the basis of the success is shown. A verdict that the measurements contradict is
 * never repeated alone.
 */
export function formatVerdict({
  phase,
  message,
  metrics,
  replayedPhase,
  explanation,
}: {
  phase: AnalysisRunDetail["phase"];
  message: string;
  metrics: readonly DecidingMetric[];
  /** What the measurements give, if that contradicts `phase`. */
  replayedPhase?: AnalysisRunDetail["phase"] | undefined;
  explanation: string | undefined;
}): string {
  if (replayedPhase !== undefined) return formatContradiction({ phase, replayedPhase, metrics });
  const deciding = metrics
    .filter((metric) => !metric.dryRun && metric.phase === phase)
    .flatMap((metric) => formatDecision(metric) ?? []);
  if (deciding.length > 0) return `${phase}: ${deciding.join(". ")}.`;
  if (message !== "" && phase !== "Successful") return `${phase}: ${message}`;
  if (explanation !== undefined) return `${phase}: ${explanation.charAt(0).toLowerCase()}${explanation.slice(1)}`;
  return message === "" ? `${phase}.` : `${phase}: ${message}`;
}

function explain(row: DetailRow, explanation: string | undefined): string | undefined {
  // The check knows more than the counters do.
  if (row.contradiction && row.phase === "Successful") return "Its recorded measurements contradict this result.";
  return explanation;
}

/** Formats "Recorded as Successful, but every measurement failed." */
function formatContradiction({
  phase,
  replayedPhase,
  metrics,
}: {
  phase: AnalysisRunDetail["phase"];
  replayedPhase: AnalysisRunDetail["phase"];
  metrics: readonly DecidingMetric[];
}): string {
  const counters = metrics.filter(({ dryRun }) => !dryRun).map((metric) => metric.counters);
  const isAllBad =
    replayedPhase === "Failed" &&
    counters.length > 0 &&
    counters.every(({ count, failed }) => count > 0 && failed === count);
  const given = isAllBad ? "every measurement failed" : `its measurements give ${replayedPhase}`;
  return `Recorded as ${phase}, but ${given}.`;
}

const StoredCheck = VerdictCheck.omit({ checkedAt: true });

function serializeCheck(row: DetailRow): AnalysisRunDetail["verdictCheck"] {
  const parsed = StoredCheck.safeParse(row.verdict_check);
  if (!parsed.success || row.verdict_checked_at === null) return null;
  return { ...parsed.data, checkedAt: row.verdict_checked_at.toISOString() };
}

type ReplayedPhases = {
  ofRun: AnalysisRunDetail["phase"] | undefined;
  ofMetric: ReadonlyMap<string, AnalysisRunDetail["phase"]>;
};

/** Reads what the replay gives where it contradicts the record. */
function readReplayedPhases(check: AnalysisRunDetail["verdictCheck"]): ReplayedPhases {
  const contradicting = (check?.findings ?? []).flatMap(({ metric, phase }) =>
    phase === undefined ? [] : [{ metric, phase }],
  );
  return {
    ofRun: contradicting.find(({ metric }) => metric === undefined)?.phase,
    ofMetric: new Map(
      contradicting.flatMap(({ metric, phase }) => (metric === undefined ? [] : [[metric, phase] as const])),
    ),
  };
}

/** Returns undefined if the counters did not decide: a metric can fail on a broken condition, with no count at all. */
function formatDecision({ name, phase, counters, limits }: DecidingMetric): string | undefined {
  const { inconclusive, failed, consecutiveError } = counters;
  const used = phase === "Inconclusive" ? inconclusive : phase === "Failed" ? failed : consecutiveError;
  return used === 0 ? undefined : formatLimitUse({ name, phase, counters, limits });
}

/** Stored counts, not yet checked; `readCounts` keeps only integers. */
const Counts = z.record(z.string(), z.unknown());

function readCounts(summary: unknown): Record<string, number> | null {
  const parsed = Counts.safeParse(summary);
  if (!parsed.success) return null;
  return Object.fromEntries(
    Object.entries(parsed.data).filter((entry): entry is [string, number] => Number.isInteger(entry[1])),
  );
}

type RunName = Pick<AnalysisRunSummary, "name" | "rollout" | "revision" | "type" | "stepIndex">;

const selectNames = tables
  .selectFrom("analysis_run as a")
  .leftJoin("rollout as r", "r.id", "a.rollout_id")
  .select(["a.cluster", "a.namespace", "a.name", "a.owner_kind", "a.owner_name", "a.type", "a.step_index"])
  .select(["a.revision", "r.kind as rollout_kind", "r.name as rollout_name"]);

/** Reads what names a run in a title; undefined if it is not recorded or the actor may not see it. */
export async function readRunName(
  { runtime, actor }: Pick<ServiceContext, "runtime" | "actor">,
  uid: string,
): Promise<RunName | undefined> {
  // A path is free text; the database takes neither of these.
  if (uid.includes("\u0000") || !uid.isWellFormed()) return undefined;
  const query = selectNames.where((eb) => allOf([eb("a.uid", "=", uid), isReadable(actor.rights, runPlace)]));
  const row = await readRow(runtime.pool, query);
  if (row === undefined) return undefined;
  return {
    name: row.name,
    rollout: rolloutOf(row),
    revision: row.revision,
    type: row.type,
    stepIndex: row.step_index,
  };
}
