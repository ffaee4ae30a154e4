import type { Source } from "#lib/contract/system.ts";
import { seesCluster } from "#lib/server/services/read-scope.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { readSources, serializeSource } from "#lib/server/services/system/source-freshness.ts";

/** Every source with its freshness. There are few: one page holds them all. */
export async function listSources({ ctx }: { ctx: ServiceContext }): Promise<{ items: Source[]; nextCursor: null }> {
  const { runtime, actor } = ctx;
  const { clusters } = runtime.config().config;
  const visible = (await readSources(runtime)).filter(({ cluster }) => seesCluster(actor.rights, cluster));
  return { items: visible.map((row) => serializeSource(row, clusters)), nextCursor: null };
}
