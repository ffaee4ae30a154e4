import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { type Message, titleOf } from "#lib/domain/notify/compose-messages.ts";
import { eventOfWaitEnd } from "#lib/domain/notify/make-notifiable-event.ts";
import type { NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import type { Receipt } from "./channels/post-json.ts";
import { type MessageChannel, storeMessage } from "./store-message.ts";
import { parseMessage, selectMessages } from "./stored-message.ts";

/** Stores which message told a bot's channel of these waits: once they are over, it is changed. */
export async function markToldBy(tx: Connection, channel: MessageChannel, { id, events }: Message): Promise<void> {
  const matterIds = events.flatMap(({ matter }) => matter?.id ?? []);
  await prismaOn(tx).notificationMatter.updateMany({
    where: { channel: channel.name, matterId: { in: matterIds } },
    data: { incidentId: id },
  });
}

type Ended = { event: NotifiableEvent; incidentId: string | null };

/**
 * Stores the changes of the messages that told of these waits. Each is sent after its message, and shows what is over by
 * then.
 */
export async function changeMessages(
  tx: Connection,
  { channel, ended, now }: { channel: MessageChannel; ended: readonly Ended[]; now: Date },
): Promise<void> {
  for (const [toldBy, ofMessage] of Map.groupBy(ended, ({ incidentId }) => incidentId)) {
    const events = ofMessage.flatMap(({ event }) => eventOfWaitEnd(event, now) ?? []);
    if (toldBy === null || events.length === 0) continue;
    const message: Message = {
      id: stableUuid("change", channel.name, toldBy, ...events.map(({ id }) => id)),
      title: titleOf(events),
      ...{ shape: "resolve", severity: "info", routes: [], events, incidentId: toldBy },
    };
    await storeMessage(tx, { message, channel, step: 1, now });
  }
}

/** Returns the message that `change` changes, as it reads now; undefined if Slack does not have it. */
export async function readSlackChange(
  connection: Connection,
  change: Message,
): Promise<{ receipt: Receipt; message: Message } | undefined> {
  const told = change.incidentId ?? "";
  const row = await readRow(connection, selectMessages.select(["receipt", "created_at"]).where("id", "=", told));
  const message = row === undefined ? undefined : parseMessage(row);
  if (message === undefined || row === undefined || row.receipt === null) return undefined;
  const changes = await readRows(
    connection,
    selectMessages
      .where("created_at", ">=", row.created_at)
      .where("incident_id", "=", told)
      .where("shape", "=", "resolve"),
  );
  const over = new Map(
    [...changes.flatMap((each) => parseMessage(each) ?? []), change].flatMap(({ events }) =>
      events.map((event) => [event.matter?.id, event] as const),
    ),
  );
  const events = message.events.map((event) => over.get(event.matter?.id) ?? event);
  const isOver = events.every((event, index) => event !== message.events[index]);
  return {
    receipt: row.receipt,
    message: { ...message, events, title: isOver ? titleOf(events) : message.title },
  };
}
