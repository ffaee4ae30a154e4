import type { Counter, Gauge } from "@prometheus-io/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { ConfigStore } from "#lib/server/platform/config/config-store.ts";
import type { ChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { createChannelTurns } from "./channel-turns.ts";
import { sendMessage } from "./channels/send-message.ts";
import { prepareMessages } from "./prepare-messages.ts";
import { readQueueAgeSeconds } from "./read-queue-age.ts";
import { type SentMemory, sendDue } from "./send-due.ts";

export type NotificationMetrics = {
  notifications: Counter<"channel_type" | "outcome">;
  notificationAge: Gauge;
};

export type NotificationOptions = {
  pool: Pool;
  store: Pick<ConfigStore, "current">;
  log: Pick<Logger, "warn">;
  metrics: NotificationMetrics;
};

/**
 * One pass of the upkeep: makes the messages that are due. Returns whether events or messages wait: some become due by
 * time.
 */
export async function prepareNotifications({ pool, store, metrics }: NotificationOptions): Promise<boolean> {
  const now = await readDatabaseTime(pool);
  const { suppressed } = await prepareMessages({ pool, config: store.current().config.notifications, now });
  for (const type of suppressed) metrics.notifications.inc({ channel_type: type, outcome: "suppressed" });
  const ageSeconds = await readQueueAgeSeconds(pool, now);
  metrics.notificationAge.set(ageSeconds);
  return ageSeconds > 0;
}

export type NotificationSender = {
  /** One pass of the upkeep: starts the sends that are due, without waiting. Throws the error of an earlier pass. */
  turn(): void;
  /** Resolves when nothing is being sent. */
  settle(): Promise<void>;
};

/** Sends the messages that are due, each channel in its own time. */
export function createNotificationSender(
  { pool, store, log, metrics }: NotificationOptions,
  signal: AbortSignal,
): NotificationSender {
  const memory: SentMemory = new Set();
  const turns = createChannelTurns<ChannelConfig>({
    work: (channel) =>
      sendDue(
        {
          pool,
          memory,
          signal,
          publicUrl: store.current().config.publicUrl,
          send: sendMessage,
          now: () => readDatabaseTime(pool),
          random: Math.random,
          onOutcome: (outcome, { id, error }) => {
            metrics.notifications.inc({ channel_type: channel.type, outcome });
            if (outcome !== "sent") log.warn({ channel: channel.name, notification: id, error }, `message ${outcome}`);
          },
        },
        channel,
      ),
  });
  return {
    turn: () => turns.start(store.current().config.notifications.channels),
    // While stopping, the error of a failed send is of no use.
    settle: () => turns.settle().catch(() => {}),
  };
}
