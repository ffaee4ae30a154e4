import type { Pool } from "pg";
import { z } from "zod";
import { composeMessages, countSlots, type PendingEvent } from "#lib/domain/notify/compose-messages.ts";
import { isHeld, type NotificationRoute } from "#lib/domain/notify/route-event.ts";
import type { ChannelConfig, NotificationConfig } from "#lib/server/platform/config/notification-schema.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows, rankSeverity, textAt } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { inTurn } from "./in-turn.ts";
import { makeAlerts } from "./make-alerts.ts";
import { makeIncidents } from "./make-incidents.ts";
import { removePending, storeMessage } from "./store-message.ts";
import { StoredEvent } from "./stored-event.ts";
import { markToldBy } from "./tell-slack.ts";

const pageSize = 2000;
const Names = z.array(z.string()).catch([]);

/** How fast a channel gets messages. */
export type Pace = {
  /** Events of one rollout become one message if they come within this time: a step and its analysis change together. */
  windowMs: number;
  /** Messages per channel. Slack accepts one a second; a person reads fewer. More become a digest. */
  perMinute: number;
};
const usualPace: Pace = { windowMs: 15_000, perMinute: 20 };

type Composing = {
  config: NotificationConfig;
  now: Date;
  pace?: Pace | undefined;
};

/**
 * Makes messages of the channels' pending events, as far as window, rate limit and quiet hours allow. Events leave
 * `notification_pending` in the transaction that stores their message. Resolves with the number of messages.
 */
export async function makeMessages({ pool, ...composing }: Composing & { pool: Pool }): Promise<number> {
  const channels = await prismaOn(pool).notificationPending.groupBy({
    by: ["channel", "channelType"],
    orderBy: { channel: "asc" },
  });
  let made = 0;
  // A channel whose type was changed comes twice: the second time, only the rest is still pending.
  for (const { channel: name, channelType: type } of channels)
    made += await inTurn(pool, (tx) => makeForChannel(tx, { ...composing, name, type }));
  return made;
}

async function makeForChannel(
  tx: Connection,
  { config, now, pace = usualPace, name, type }: Composing & { name: string; type: ChannelConfig["type"] },
): Promise<number> {
  const channel = config.channels.find((each) => each.name === name);
  const pending = await lockPending(tx, { config, now, name });
  if (channel?.type === "pagerduty") return makeIncidents(tx, { channel, pending, now, windowMs: pace.windowMs });
  if (channel?.type === "alertmanager") return makeAlerts(tx, { channel, pending, now, windowMs: pace.windowMs });
  const messages =
    channel === undefined
      ? // These are not sent: the log shows them, so that a renamed channel is noticed.
        composeMessages({ channel: name, pending: pending.map(release), now: now.getTime(), windowMs: 0, slots: 1 })
      : composeMessages({
          channel: name,
          pending,
          now: now.getTime(),
          windowMs: pace.windowMs,
          slots: await readSlots(tx, { perMinute: pace.perMinute, now, name }),
        });
  // A bot can change its messages later: each is the first step of its own incident.
  const isChangeable = channel?.type === "slack" && channel.token !== undefined;
  for (const message of messages) {
    await storeMessage(tx, {
      message: isChangeable ? { ...message, incidentId: message.id } : message,
      ...(isChangeable && { step: 0 }),
      channel: { name, type: channel?.type ?? type },
      isGone: channel === undefined,
      now,
    });
    if (isChangeable) await markToldBy(tx, channel, message);
    await removePending(
      tx,
      name,
      message.events.map(({ id }) => id),
    );
  }
  return messages.length;
}

function release(pending: PendingEvent): PendingEvent {
  return { ...pending, isHeld: false };
}

async function lockPending(
  tx: Connection,
  { config, now, name }: Composing & { name: string },
): Promise<PendingEvent[]> {
  const rows = await readRows(
    tx,
    tables
      .selectFrom("notification_pending")
      .select(["seq", "routes", "event", "since"])
      .where("channel", "=", name)
      // However many are held until the morning, a critical one is among those that are read.
      .orderBy(({ ref }) => rankSeverity(textAt(ref("event"), "severity")))
      .orderBy("seq")
      .limit(pageSize)
      .forUpdate()
      .skipLocked(),
  );
  const routes = routesOf(config);
  const inOrder = rows.toSorted((left, right) => Number(BigInt(left.seq) - BigInt(right.seq)));
  return inOrder.map((row) => {
    const event = StoredEvent.parse(row.event);
    const cameBy = Names.parse(row.routes);
    return {
      event,
      routes: cameBy,
      since: row.since.getTime(),
      isHeld: isHeld({ routes, cameBy, severity: event.severity, now }),
    };
  });
}

const unsent = ["queued", "sending"] as const;
/** Tests, and changes of messages, which no one is notified of. */
const uncounted = ["test", "resolve"] as const;

async function readSlots(
  tx: Connection,
  { perMinute, now, name }: { perMinute: number; now: Date; name: string },
): Promise<number> {
  const minuteAgo = new Date(now.getTime() - 60_000);
  const row = await readRow(
    tx,
    tables
      .selectFrom("notification")
      .select(({ and, eb }) => [
        countRows(and([eb("created_at", ">", minuteAgo), eb("shape", "not in", uncounted)])).as("made"),
        countRows(eb("state", "in", unsent)).as("unsent"),
      ])
      .where("channel", "=", name)
      .where(({ eb, or }) => or([eb("created_at", ">", minuteAgo), eb("state", "in", unsent)])),
  );
  return countSlots({ perMinute, madeLastMinute: row?.made ?? 0, unsent: row?.unsent ?? 0 });
}

/** Returns the routes of the config as the rules take them. */
export function routesOf({ routes }: Pick<NotificationConfig, "routes">): NotificationRoute[] {
  return routes.map(({ clusters, namespaces, rollouts, ...route }) => ({
    ...route,
    scope: { clusters, namespaces, rollouts },
  }));
}
