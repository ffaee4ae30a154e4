import { z } from "zod";
import { LinkConfig } from "#lib/server/platform/config/config-schema.ts";
import type { LoadedConfig } from "#lib/server/platform/config/load-config.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

/** The kind of the setting that has the link templates; the name of its key in the config. */
export const linksKind = "links";

export type StoredLinks = { links: readonly LinkConfig[]; changedAt: Date | null; changedBy: string | null };

export const noStoredLinks: StoredLinks = { links: [], changedAt: null, changedBy: null };

/** Reads the link templates that were made in the interface. Items that are no longer valid are left out. */
export async function readStoredLinks(connection: Connection): Promise<StoredLinks> {
  const row = await prismaOn(connection).setting.findFirst({ where: { kind: linksKind } });
  if (row === null) return noStoredLinks;
  const items = z.array(z.unknown()).catch([]).parse(row.value);
  const links = items.flatMap((item) => LinkConfig.safeParse(item).data ?? []);
  return { links, changedAt: row.changedAt, changedBy: row.changedBy };
}

/** Returns whether the config file sets the links, be it to none, so that stored ones do not count. */
export function setsLinks({ config, stored = [], written }: LoadedConfig): boolean {
  return (config.links.length > 0 || written?.has(linksKind) === true) && !stored.includes(linksKind);
}

/** Completes the config of the file with the stored links, unless the file sets links. */
export function completeConfig(
  config: () => LoadedConfig,
  stored: () => Pick<StoredLinks, "links">,
): () => LoadedConfig {
  let last: { loaded: LoadedConfig; links: readonly LinkConfig[]; completed: LoadedConfig } | undefined;
  return () => {
    const [loaded, { links }] = [config(), stored()];
    if (links.length === 0 || setsLinks(loaded)) return loaded;
    if (last === undefined || last.loaded !== loaded || last.links !== links) {
      const completed = { ...loaded, config: { ...loaded.config, links: [...links] }, stored: [linksKind] };
      last = { loaded, links, completed };
    }
    return last.completed;
  };
}
