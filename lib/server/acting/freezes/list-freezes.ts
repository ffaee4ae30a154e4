import type { Freeze } from "#lib/contract/freeze.ts";
import { serializeFreeze } from "#lib/server/acting/freezes/freeze.ts";
import type { StoreContext } from "#lib/server/platform/actor/actor.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { readFreezes } from "#lib/server/records/freeze-row.ts";

/** Lists the freezes that people made and that have not ended, as far as they concern what the actor may read. */
export async function listFreezes({ ctx: { runtime, actor } }: { ctx: StoreContext }): Promise<{ items: Freeze[] }> {
  const { rights } = actor;
  const now = await readDatabaseTime(runtime.pool);
  const rows = await readFreezes(runtime.pool, now);
  return { items: rows.flatMap((row) => serializeFreeze(row, { rights, now }) ?? []) };
}
