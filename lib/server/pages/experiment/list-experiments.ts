import type { ListPage } from "#lib/contract/common.ts";
import type { ExperimentListQuery, ExperimentSummary, experimentSorts } from "#lib/contract/experiment.ts";
import { hasPhase, phaseSeverity } from "#lib/server/pages/run/phase-severity.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf, anyContains, given } from "#lib/server/platform/db/conditions.ts";
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
