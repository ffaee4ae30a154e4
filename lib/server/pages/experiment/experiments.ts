import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type {
  ExperimentAnalysis,
  ExperimentDetail,
  ExperimentExportQuery,
  ExperimentListQuery,
  ExperimentSummary,
  experimentSorts,
} from "#lib/contract/experiment.ts";
import type { DescribedExperiment } from "#lib/domain/delivery/measuring.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import { type CsvColumn, columnsOf, exportOf, formatPhaseCounts } from "#lib/server/pages/export-list.ts";
import { readRuns } from "#lib/server/pages/run/list-runs.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, anyContains, given } from "#lib/server/platform/db/conditions.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { experimentPlace, selectExperiments, serializeExperiment } from "#lib/server/records/experiment-row.ts";
import { isInTimeSpan } from "#lib/server/records/in-time-span.ts";
import {
  bothWays,
  listOrder,
  type Orders,
  orderPart,
  readOrdered,
  worstFirst,
} from "#lib/server/records/list-order.ts";
import { asPhase, hasPhase, phaseSeverity } from "#lib/server/records/run-row.ts";

const eb = fragment<{ e: "experiment"; r: "rollout" }>();

const orders: Orders<(typeof experimentSorts)[number]> = {
  createdAt: bothWays([orderPart(eb.ref("e.created_at"), "timestamptz", "desc"), orderPart(eb.ref("e.uid"), "text")]),
  name: bothWays([orderPart(eb.ref("e.name"), "text"), orderPart(eb.ref("e.uid"), "text")]),
  phase: worstFirst({
    rank: phaseSeverity(eb.ref("e.phase")),
    time: eb.ref("e.created_at"),
    id: orderPart(eb.ref("e.uid"), "text"),
  }),
};

/** Lists Experiments of all clusters, live and past, newest first. */
export async function listExperiments({ ctx, input }: Call<ExperimentListQuery>): Promise<ListPage<ExperimentSummary>> {
  const order = listOrder(orders, { sort: input.sort, usual: "-createdAt", cursor: input.cursor });
  const query = selectExperiments.where(() =>
    allOf([
      isReadable(ctx.actor.rights, experimentPlace),
      given(input.cluster, (cluster) => eb("e.cluster", "=", cluster)),
      given(input.namespace, (namespace) => eb("e.namespace", "=", namespace)),
      given(input.rollout, (name) => eb(eb.fn.coalesce("r.name", "e.owner_name"), "=", name)),
      given(input.phase, (phase) => hasPhase(eb.ref("e.phase"), phase)),
      anyContains([eb.ref("e.name"), eb.ref("e.namespace"), eb.ref("r.name")], input.q),
      isInTimeSpan(eb.ref("e.created_at"), input),
      order.isAfter,
    ]),
  );
  return readOrdered(ctx.runtime.pool, { query, order, limit: input.limit, toItem: serializeExperiment });
}

const columns: readonly CsvColumn<ExperimentSummary>[] = [
  ...columnsOf<ExperimentSummary>(["uid", "cluster", "namespace", "name"]),
  ["rollout.kind", ({ rollout }) => rollout?.kind],
  ["rollout.name", ({ rollout }) => rollout?.name],
  ...columnsOf<ExperimentSummary>(["revision", "podHash", "phase", "message", "createdAt", "availableAt"]),
  ["completedAt", ({ completedAt }) => completedAt],
  ["runs.total", ({ runs }) => runs.total],
  ["runs.byPhase", ({ runs }) => formatPhaseCounts(runs.byPhase)],
  ...columnsOf<ExperimentSummary>(["presence", "updatedAt"]),
];

/** Exports the Experiments that `listExperiments` lists, in the same order. */
export const exportExperiments = exportOf<ExperimentSummary, ExperimentExportQuery>({
  name: "experiments",
  columns,
  list: listExperiments,
});

/** Returns one Experiment as recorded, live or past, with the runs that it owns. Throws `not_found`. */
export async function getExperiment({ ctx, input }: Call<{ uid: string }>): Promise<ExperimentDetail> {
  const { runtime, actor } = ctx;
  const query = selectExperiments
    .select("e.object")
    .where((eb) => allOf([eb("e.uid", "=", input.uid), isReadable(actor.rights, experimentPlace)]));
  const row = await readRow(runtime.pool, query);
  if (row === undefined) throw new ServiceError("not_found", `There is no Experiment ${input.uid}.`);
  const parsed = measuringProviderOf("Experiment").parseExperiment(row.object);
  if (!parsed.ok)
    throw new ServiceError("internal", `The recorded object of ${row.name} cannot be read: ${parsed.reason}.`);
  const { items: analysisRuns } = await readRuns(ctx, { ownerUid: row.uid, limit: 200 });
  // A name that was used twice refers to the newest run.
  const runByName = new Map(analysisRuns.toReversed().map((run) => [run.name, run]));
  const { duration, progressDeadlineSeconds, templates, analyses } = parsed.value.describe();
  return {
    ...serializeExperiment(row),
    duration: duration ?? null,
    progressDeadlineSeconds: progressDeadlineSeconds ?? null,
    terminated: parsed.value.isTerminated,
    templates,
    analyses: analyses.map((analysis) => serializeAnalysis(analysis, runByName)),
    analysisRuns,
  };
}

/** The Experiment's status stops following its runs when it ends: the phase of a recorded run is the run's own. */
function serializeAnalysis(
  { name, template, required, phase, message, run, measures }: DescribedExperiment["analyses"][number],
  runByName: ReadonlyMap<string, AnalysisRunSummary>,
): ExperimentAnalysis {
  const recorded = run === undefined ? undefined : runByName.get(run);
  return {
    name,
    template,
    required,
    phase: recorded?.phase ?? asPhase(phase),
    message: recorded?.message ?? message,
    measures: measures ?? null,
    run: run === undefined ? null : { name: run, uid: recorded?.uid ?? null },
  };
}
