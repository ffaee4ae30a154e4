import type { Source } from "#lib/contract/system.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { readSources, serializeSource } from "#lib/server/services/system/source-freshness.ts";

/** Every source with its freshness. There are few: one page holds them all. */
export async function listSources({ ctx }: { ctx: ServiceContext }): Promise<{ items: Source[]; nextCursor: null }> {
  const { clusters } = ctx.runtime.config().config;
  return { items: (await readSources(ctx.runtime)).map((row) => serializeSource(row, clusters)), nextCursor: null };
}
