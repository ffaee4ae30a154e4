import type { Freeze, FreezeChange } from "#lib/contract/freeze.ts";
import { assertEnd, assertMayFreeze, serializeFreeze } from "#lib/server/acting/freezes/freeze.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import type { StoreCall } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";
import { scopeOfFreeze } from "#lib/server/records/freeze-row.ts";

/**
 * Moves the end of a freeze further away, or ends it now if no new end is given. Throws `not_found` for a freeze that
 * has ended or never was, `forbidden` without the right `freeze` in its whole scope, and `invalid_request` for a bad
 * end.
 */
export async function changeFreeze({
  ctx,
  input: { id, reason, ...input },
}: StoreCall<FreezeChange & { id: string }>): Promise<Freeze> {
  const { actor, runtime } = ctx;
  const { rights } = actor;
  const now = await readDatabaseTime(runtime.pool);
  const row = await prismaOn(runtime.pool).freeze.findFirst({ where: { id, endsAt: { gt: now } } });
  if (row === null || serializeFreeze(row, { rights, now }) === undefined) throw notFound(id);
  assertMayFreeze(rights, scopeOfFreeze(row));
  const isEnd = input.endsAt === undefined;
  const endsAt = input.endsAt === undefined ? now : new Date(input.endsAt);
  if (!isEnd) assertEnd({ after: row.endsAt, endsAt, now });
  await appendChange(ctx, {
    code: isEnd ? "freeze.end" : "freeze.extend",
    reason,
    detail: { freeze: id, endsAt: endsAt.toISOString() },
    within: async (tx) => {
      // One that has been ended meanwhile stays so.
      const { count } = await prismaOn(tx).freeze.updateMany({
        where: { id, endsAt: row.endsAt },
        data: { endsAt, ...(isEnd ? { endedByName: toColumn(actor.name) } : {}) },
      });
      if (count === 0) throw notFound(id);
      await logChange(tx, { kind: "freeze", ref: id, cluster: null, namespace: null });
    },
  });
  const changed = serializeFreeze({ ...row, endsAt }, { rights, now });
  if (changed === undefined) throw notFound(id);
  return changed;
}

function notFound(id: string): ServiceError {
  return new ServiceError("not_found", `There is no freeze ${id}, or it has ended.`);
}
