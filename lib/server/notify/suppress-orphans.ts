import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { channelIsGone } from "./make-messages.ts";

/** Ends the messages to channels that the config no longer has. Resolves with the types of their channels. */
export async function suppressOrphans({
  pool,
  channels,
  now,
}: {
  pool: Connection;
  channels: readonly { name: string }[];
  now: Date;
}): Promise<string[]> {
  const rows = await prismaOn(pool).notification.updateManyAndReturn({
    where: { state: { in: ["queued", "sending"] }, channel: { notIn: channels.map(({ name }) => name) } },
    data: { state: "suppressed", endedAt: now, lastError: channelIsGone },
    select: { channelType: true },
  });
  return rows.map(({ channelType }) => channelType);
}
