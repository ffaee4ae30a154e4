import type { Message } from "#lib/domain/notify/compose-messages.ts";
import { toStorableValue } from "#lib/domain/storable/escape-text.ts";
import type { ChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

export type MessageChannel = Pick<ChannelConfig, "name" | "type">;

/** Stores a message, to be sent. One to a channel that the config no longer has is suppressed at once. */
export async function storeMessage(
  tx: Connection,
  {
    message: { id, shape, severity, title, routes, events, incidentId },
    channel: { name, type },
    isGone = false,
    step,
    now,
  }: {
    message: Message;
    channel: MessageChannel;
    isGone?: boolean;
    /** Its place among the messages about its incident. */
    step?: number;
    now: Date;
  },
): Promise<void> {
  await prismaOn(tx).notification.createMany({
    data: {
      ...{ id, channel: name, channelType: type, shape, severity, title, routes },
      events: toStorableValue(events),
      createdAt: now,
      nextAttemptAt: now,
      giveUpAt: giveUpAt(now),
      ...(incidentId != null && step !== undefined && { incidentId, incidentStep: step }),
      ...(isGone && { state: "suppressed", endedAt: now, lastError: channelIsGone }),
    },
    skipDuplicates: true,
  });
}

/** Why a message is suppressed. */
export const channelIsGone = "The config no longer has this channel.";

/** A message that could not be sent for a day is no longer news. */
const giveUpAfterHours = 24;

export function giveUpAt(now: Date): Date {
  return new Date(now.getTime() + giveUpAfterHours * 3_600_000);
}

/** Removes what a message now tells, in the transaction that stores it. */
export async function removePending(tx: Connection, name: string, eventIds: readonly string[]): Promise<void> {
  await prismaOn(tx).notificationPending.deleteMany({ where: { channel: name, eventId: { in: [...eventIds] } } });
}
