import type {
  AnalysisRunExportQuery,
  AnalysisRunListQuery,
  AnalysisRunSummary,
  runSorts,
} from "#lib/contract/analysis-run.ts";
import type { ListPage, ListQuery } from "#lib/contract/common.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { type CsvColumn, columnsOf, exportOf } from "#lib/server/pages/export-list.ts";
import { parseTemplateFilter } from "#lib/server/pages/insights/parse-template-filter.ts";
import { hasCountedMetric } from "#lib/server/pages/insights/run-conditions.ts";
import { isMadeOfTemplate } from "#lib/server/pages/template/fitting-templates.ts";
import { findRolloutIds } from "#lib/server/people/permission/find-rollout.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, anyContains, type Condition, given, isOneOf } from "#lib/server/platform/db/conditions.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { isInTimeSpan } from "#lib/server/records/in-time-span.ts";
import {
  bothWays,
  listOrder,
  type Orders,
  orderPart,
  readOrdered,
  worstFirst,
} from "#lib/server/records/list-order.ts";
import { hasPhase, phaseSeverity, runPlace, selectRuns, serializeRun } from "#lib/server/records/run-row.ts";

const eb = fragment<{ a: "analysis_run"; r: "rollout" }>();

const orders: Orders<(typeof runSorts)[number]> = {
  startedAt: bothWays([orderPart(eb.ref("a.created_at"), "timestamptz", "desc"), orderPart(eb.ref("a.uid"), "text")]),
  name: bothWays([orderPart(eb.ref("a.name"), "text"), orderPart(eb.ref("a.uid"), "text")]),
  phase: worstFirst({
    rank: phaseSeverity(eb.ref("a.phase")),
    time: eb.ref("a.created_at"),
    id: orderPart(eb.ref("a.uid"), "text"),
  }),
};

/** Lists analysis runs of all clusters, live and past, newest first. */
export async function listRuns({ ctx, input }: Call<AnalysisRunListQuery>): Promise<ListPage<AnalysisRunSummary>> {
  return readRuns(ctx, input);
}

export async function readRuns(
  { runtime, actor }: ServiceContext,
  filters: AnalysisRunListQuery & { rolloutIds?: string[]; ownerUid?: string },
): Promise<ListPage<AnalysisRunSummary>> {
  const order = listOrder(orders, { sort: filters.sort, usual: "-startedAt", cursor: filters.cursor });
  const query = selectRuns.where(() =>
    allOf([
      isReadable(actor.rights, runPlace),
      given(filters.rolloutIds, (ids) => isOneOf(eb.ref("a.rollout_id"), ids, "uuid")),
      given(filters.ownerUid, (uid) => eb("a.owner_uid", "=", uid)),
      given(filters.cluster, (cluster) => eb("a.cluster", "=", cluster)),
      given(filters.namespace, (namespace) => eb("a.namespace", "=", namespace)),
      given(filters.kind, (kind) => eb(runPlace.kind, "=", kind)),
      given(filters.rollout, (name) => eb(eb.fn.coalesce("r.name", "a.owner_name"), "=", name)),
      given(filters.phase, (phase) => hasPhase(eb.ref("a.phase"), phase)),
      given(filters.type, (type) => eb("a.type", "=", type)),
      ...countedOrMeasured(filters),
      given(filters.template, isMadeOfTemplate),
      anyContains([eb.ref("a.name"), eb.ref("a.namespace"), eb.ref("r.name")], filters.q),
      isInTimeSpan(eb.ref("a.created_at"), filters),
      order.isAfter,
    ]),
  );
  return readOrdered(runtime.pool, { query, order, limit: filters.limit, toItem: serializeRun });
}

/** A figure counts metrics with a verdict; without one, any metric of the name will do. */
function countedOrMeasured({ figure, ofTemplate, metric }: AnalysisRunListQuery): (Condition | undefined)[] {
  if (figure === undefined && ofTemplate === undefined) return [given(metric, hasMetric)];
  const template = ofTemplate === undefined ? undefined : parseTemplateFilter(ofTemplate, "ofTemplate");
  return [hasCountedMetric({ figure, metric, template })];
}

function hasMetric(name: string): Condition {
  return eb.exists(
    eb
      .selectFrom("metric as m")
      .select("m.name")
      .whereRef("m.rollout_id", "=", "a.rollout_id")
      .whereRef("m.run_uid", "=", "a.uid")
      .where("m.name", "=", name),
  );
}

/** Lists analysis runs of one rollout, live and past, newest first. Throws `not_found`. */
export async function listRolloutRuns({
  ctx,
  input,
}: Call<RolloutPath & ListQuery>): Promise<ListPage<AnalysisRunSummary>> {
  const rolloutIds = await findRolloutIds(ctx, input);
  return readRuns(ctx, { rolloutIds, limit: input.limit, cursor: input.cursor });
}

const columns: readonly CsvColumn<AnalysisRunSummary>[] = [
  ...columnsOf<AnalysisRunSummary>(["uid", "cluster", "namespace", "name"]),
  ["rollout.kind", ({ rollout }) => rollout?.kind],
  ["rollout.name", ({ rollout }) => rollout?.name],
  ...columnsOf<AnalysisRunSummary>(["type", "stepIndex", "revision", "podHash", "phase", "contradiction", "message"]),
  ...columnsOf<AnalysisRunSummary>(["startedAt", "completedAt", "durationSeconds", "firstSeenAt", "terminated"]),
  ...columnsOf<AnalysisRunSummary>(["measurements", "lostMeasurements", "measurementsExpired", "presence"]),
];

/** Exports the runs that `listRuns` lists, in the same order. */
export const exportRuns = exportOf<AnalysisRunSummary, AnalysisRunExportQuery>({
  name: "analysis-runs",
  columns,
  list: listRuns,
});
