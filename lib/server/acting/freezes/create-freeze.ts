import { randomUUID } from "node:crypto";
import type { Freeze, FreezeRequest } from "#lib/contract/freeze.ts";
import { assertEnd, assertMayFreeze, serializeFreeze } from "#lib/server/acting/freezes/freeze.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import type { StoreCall } from "#lib/server/platform/actor/actor.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";
import { mostFreezes, mostOwnFreezes, readFreezes } from "#lib/server/records/freeze-row.ts";

/**
 * Stops what advances rollouts in a scope, in every process from the moment of its commit. Protective actions pass.
 * Throws `forbidden` without the right `freeze` in the whole scope, `invalid_request` for a bad end, and `conflict` if
 * there are too many freezes.
 */
export async function createFreeze({ ctx, input }: StoreCall<FreezeRequest>): Promise<Freeze> {
  const { actor, runtime } = ctx;
  const { reason, clusters, namespaces, rollouts } = input;
  assertMayFreeze(actor.rights, { clusters, namespaces, rollouts });
  const now = await readDatabaseTime(runtime.pool);
  const startsAt = input.startsAt === undefined ? now : new Date(input.startsAt);
  const endsAt = new Date(input.endsAt);
  assertEnd({ after: startsAt, endsAt, now });
  const row = {
    id: randomUUID(),
    ...{ reason: toColumn(reason), clusters: clusters.map(toText), namespaces: namespaces.map(toText) },
    ...{
      rollouts: rollouts.map(toText),
      startsAt,
      endsAt,
      madeBy: toColumn(actorKey(actor)),
      madeByName: toColumn(actor.name),
    },
  };
  await appendChange(ctx, {
    code: "freeze.create",
    reason,
    detail: {
      freeze: row.id,
      ...{ clusters, namespaces, rollouts },
      startsAt: startsAt.toISOString(),
      endsAt: endsAt.toISOString(),
    },
    within: async (tx) => {
      const others = await readFreezes(tx, await readDatabaseTime(tx));
      const own = others.filter(({ madeBy }) => madeBy === row.madeBy).length;
      if (own >= mostOwnFreezes)
        throw new ServiceError("conflict", `You have made ${own} freezes that have not ended: end some first.`);
      if (others.length >= mostFreezes)
        throw new ServiceError("conflict", `There are ${mostFreezes} freezes already: end some first.`);
      await prismaOn(tx).freeze.create({ data: row });
      await logChange(tx, { kind: "freeze", ref: row.id, cluster: null, namespace: null });
    },
  });
  const made = serializeFreeze({ ...row, endedByName: null }, { rights: actor.rights, now });
  if (made === undefined) throw new Error("a freeze is about what its maker may read");
  return made;
}

function toText(pattern: string): string {
  return toColumn(pattern);
}
