import { confirmed } from "#lib/server/platform/config/confirmations.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

/** Reads the newest report of the web processes about the config; null if there is none. */
export function readNewestConfigEvent(connection: Connection) {
  return prismaOn(connection).configEvent.findFirst({
    where: { code: { not: confirmed } },
    orderBy: { id: "desc" },
    select: { code: true, content: true, at: true },
  });
}
