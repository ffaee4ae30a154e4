import type { Source } from "#lib/contract/system.ts";
import { countHeldObjects } from "#lib/server/admin/list-held-objects.ts";
import { withinScope } from "#lib/server/admin/within-scope.ts";
import { serializeSource } from "#lib/server/clusters/sources/serialize-source.ts";
import { readSources } from "#lib/server/clusters/sources/source-freshness.ts";
import { seesCluster } from "#lib/server/people/permission/read-scope.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/** Lists every source with its freshness. There are few: one page contains them all. */
export async function listSources({ ctx }: { ctx: ServiceContext }): Promise<{ items: Source[]; nextCursor: null }> {
  const { runtime, actor } = ctx;
  const { clusters } = runtime.config().config;
  const visible = (await readSources(runtime)).filter(({ cluster }) => seesCluster(actor.rights, cluster));
  const held = visible.some((row) => row.hold_id !== null) ? await countHeldObjects(ctx) : new Map<string, number>();
  const items = visible.map((row) =>
    withinScope({ source: serializeSource(row, clusters), rights: actor.rights, held: held.get(row.id) ?? 0 }),
  );
  return { items, nextCursor: null };
}
