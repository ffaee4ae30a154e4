import { z } from "zod";
import type { RolloutListQuery, RolloutSummary } from "#lib/contract/rollout.ts";
import { allOf, anyContains, given } from "#lib/server/db/conditions.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { parseListCursor, readPage } from "#lib/server/services/list-cursor.ts";
import { isReadable } from "#lib/server/services/read-scope.ts";
import { accessOf, rolloutPlace, selectRollouts, serializeRollout } from "#lib/server/services/rollouts/rollout-row.ts";

const Key = z.tuple([z.string(), z.string(), z.uuid()]);

/** Lists the rollouts that the clusters have, by namespace and name. Deleted ones are found only by their address. */
export async function listRollouts({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RolloutListQuery;
}): Promise<{ items: RolloutSummary[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, input.cursor);
  const { limit } = input;
  const query = selectRollouts
    .where((eb) =>
      allOf([
        eb("r.presence", "in", ["live", "absent"]),
        isReadable(ctx.actor.rights, rolloutPlace),
        given(input.cluster, (cluster) => eb("r.cluster", "=", cluster)),
        given(input.namespace, (namespace) => eb("r.namespace", "=", namespace)),
        given(input.kind, (kind) => eb("r.kind", "=", kind)),
        given(input.phase, (phase) => eb("r.phase", "=", phase)),
        given(input.attention, (attention) =>
          attention === "any" ? eb("r.attention_reason", "is not", null) : eb("r.attention_reason", "=", attention),
        ),
        anyContains([eb.ref("r.name"), eb.ref("r.namespace")], input.q),
        given(after, (key) => eb(eb.refTuple("r.namespace", "r.name", "r.id"), ">", eb.tuple(...key))),
      ]),
    )
    .orderBy("r.namespace")
    .orderBy("r.name")
    .orderBy("r.id");
  return readPage(ctx.runtime.pool, {
    query,
    limit,
    keyOf: (row) => [row.namespace, row.name, row.id],
    toItem: (row) => serializeRollout(row, accessOf(ctx.runtime, row.cluster)),
  });
}
