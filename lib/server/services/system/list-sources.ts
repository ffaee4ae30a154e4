import type { Source } from "#lib/contract/system.ts";
import { seesCluster } from "#lib/server/services/read-scope.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { readSources, serializeSource } from "#lib/server/services/system/source-freshness.ts";

/** Every source with its freshness. There are few: one page holds them all. */
export async function listSources({ ctx }: { ctx: ServiceContext }): Promise<{ items: Source[]; nextCursor: null }> {
  const sources = await readSources(ctx.runtime);
  const items = sources.filter(({ cluster }) => seesCluster(ctx.actor.rights, cluster)).map(serializeSource);
  return { items, nextCursor: null };
}
