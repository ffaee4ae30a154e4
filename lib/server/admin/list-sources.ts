import type { Source } from "#lib/contract/system.ts";
import { type Rights, readsAllOf } from "#lib/domain/policy/rights.ts";
import { hideAddresses } from "#lib/domain/storable/redact-text.ts";
import { countHeldObjects } from "#lib/server/admin/held-objects.ts";
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

/**
 * Limits a source to the parts that the person may see. Without the right to read all that it watches, they see how
 * fresh it is, but not how many objects it has or where. `held` counts the held objects that the person may read.
 */
export function withinScope({ source, rights, held }: { source: Source; rights: Rights; held: number }): Source {
  if (readsAllOf(rights, source)) return source;
  return {
    ...source,
    objects: null,
    lastError: source.lastError === null ? null : hideAddresses(source.lastError),
    hold: source.hold === null ? null : { ...source.hold, count: held },
  };
}
