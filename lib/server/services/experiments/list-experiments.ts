import { z } from "zod";
import type { ExperimentListQuery, ExperimentSummary } from "#lib/contract/experiment.ts";
import { allOf, anyContains, given } from "#lib/server/db/conditions.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import {
  experimentPlace,
  selectExperiments,
  serializeExperiment,
} from "#lib/server/services/experiments/experiment-row.ts";
import { DatabaseTime, isPast, parseListCursor, readPage } from "#lib/server/services/list-cursor.ts";
import { isReadable } from "#lib/server/services/read-scope.ts";

const Key = z.tuple([DatabaseTime, z.string()]);

/** Lists Experiments of all clusters, live and past, newest first. */
export async function listExperiments({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: ExperimentListQuery;
}): Promise<{ items: ExperimentSummary[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, input.cursor);
  const query = selectExperiments
    .where((eb) =>
      allOf([
        isReadable(ctx.actor.rights, experimentPlace),
        given(input.cluster, (cluster) => eb("e.cluster", "=", cluster)),
        given(input.namespace, (namespace) => eb("e.namespace", "=", namespace)),
        given(input.rollout, (name) => eb(eb.fn.coalesce("r.name", "e.owner_name"), "=", name)),
        given(input.phase, (phase) => eb("e.phase", "=", phase)),
        anyContains([eb.ref("e.name"), eb.ref("e.namespace"), eb.ref("r.name")], input.q),
        given(after, (key) => isPast({ time: eb.ref("e.created_at"), id: eb.ref("e.uid") }, key)),
      ]),
    )
    .orderBy("e.created_at", "desc")
    .orderBy("e.uid");
  return readPage(ctx.runtime.pool, {
    query,
    limit: input.limit,
    keyOf: (row) => [row.created_key, row.uid],
    toItem: serializeExperiment,
  });
}
