import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { maxEvents, type PendingEvent, titleOf } from "#lib/domain/notify/compose-messages.ts";
import { highestOf, type NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { markTold, trackPending } from "./matters.ts";
import { type MessageChannel, storeMessage } from "./store-message.ts";

type Making = { channel: MessageChannel; pending: readonly PendingEvent[]; now: Date; windowMs: number };

/**
 * Makes messages that open alerts, each for up to as many matters as a message has events: Alertmanager groups them by
 * itself. A matter that became more severe is another alert, and the one before is over. Resolves with the number of
 * messages.
 */
export async function makeAlerts(tx: Connection, { channel, windowMs, now, ...given }: Making): Promise<number> {
  const { pending, matters } = await trackPending(tx, { channel, pending: given.pending });
  const due = pending.filter(({ isHeld, since }) => !isHeld && since + windowMs <= now.getTime());
  let made = 0;
  for (let from = 0; from < due.length; from += maxEvents) {
    const taken = due.slice(from, from + maxEvents);
    const newest = [...new Map(taken.map(({ event }) => [event.matter?.id, event])).values()];
    const replaced = newest.flatMap(({ matter, severity }) => {
      const before = matters.get(matter?.id ?? "");
      return before === undefined || before.toldAt === null || before.event.severity === severity ? [] : before.event;
    });
    const routes = [...new Set(taken.flatMap((each) => each.routes))];
    if (replaced.length > 0) await tellOfAlerts(tx, { channel, shape: "resolve", events: replaced, routes, now });
    await tellOfAlerts(tx, { channel, shape: "trigger", events: newest, routes, now });
    await markTold(tx, { channel, pending: taken, now });
    made += replaced.length > 0 ? 2 : 1;
  }
  return made;
}

type Telling = {
  channel: MessageChannel;
  shape: "trigger" | "resolve";
  events: NotifiableEvent[];
  routes: string[];
  now: Date;
};

/** Stores a message about alerts that begin, or are over. */
export async function tellOfAlerts(tx: Connection, { channel, shape, events, routes, now }: Telling): Promise<void> {
  const title = titleOf(events);
  const message = {
    id: stableUuid("alerts", channel.name, shape, ...events.map(({ id }) => id)),
    severity: highestOf(events.map(({ severity }) => severity)),
    title: shape === "resolve" ? `Over: ${title}` : title,
    ...{ shape, events, routes },
  };
  await storeMessage(tx, { message, channel, now });
}

/** How often open alerts are sent again. */
const refreshEveryMs = 60_000;

/**
 * Queues a message that keeps a channel's open alerts open, once they were not sent for a minute. One that is not sent
 * yet is enough; earlier ones that were sent are removed, so that the list of messages has one.
 */
export async function refreshAlerts(tx: Connection, channel: MessageChannel, now: Date): Promise<void> {
  const { notification } = prismaOn(tx);
  const isRefresh = { channel: channel.name, shape: "refresh" } as const;
  const unsent = await notification.findFirst({
    where: { ...isRefresh, state: { in: ["queued", "sending"] } },
    select: { id: true },
  });
  if (unsent !== null) return;
  const due = new Date(now.getTime() - refreshEveryMs);
  const refreshed = await write(
    tx,
    tables
      .updateTable("notification_matter")
      .set({ told_at: now })
      .where("channel", "=", channel.name)
      .where("told_at", "<=", due),
  );
  if (refreshed === 0) return;
  await notification.deleteMany({
    where: { ...isRefresh, state: "sent", createdAt: { gt: new Date(now.getTime() - 10 * refreshEveryMs) } },
  });
  const message = {
    id: stableUuid("refresh", channel.name, now.toISOString()),
    title: "Keeps open alerts open",
    ...{ shape: "refresh" as const, severity: "info" as const, events: [], routes: [] },
  };
  await storeMessage(tx, { message, channel, now });
}
