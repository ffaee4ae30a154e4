import type { Counter, Gauge } from "@prometheus-io/client";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { teamsOf } from "#lib/domain/policy/find-team.ts";
import type { ConfigStore } from "#lib/server/platform/config/config-store.ts";
import type { ChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { listSendingChannels } from "#lib/server/platform/config/ticket-channels.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { completeConfig, readSettings, type StoredSettings } from "#lib/server/records/stored-settings.ts";
import { createChannelTurns } from "./channel-turns.ts";
import { sendMessage } from "./channels/send-message.ts";
import { prepareMessages } from "./prepare-messages.ts";
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

export type Notifier = {
  /**
   * One pass of the upkeep: makes the messages that are due. Returns whether events or messages wait: some become due by
   * time.
   */
  prepare(): Promise<boolean>;
  /** Another pass: starts the sends that are due, without waiting. Throws the error of an earlier pass. */
  turn(): void;
  /** Resolves when nothing is being sent. */
  settle(): Promise<void>;
};

/** Makes messages and sends them, each channel in its own time, by the config and what admins have set. */
export function createNotifier({ pool, store, log, metrics }: NotificationOptions, signal: AbortSignal): Notifier {
  let settings: StoredSettings | undefined;
  const current = completeConfig(store.current, () => settings ?? {});
  const memory: SentMemory = new Set();
  const turns = createChannelTurns<ChannelConfig>({
    work: (channel) =>
      sendDue(
        {
          pool,
          memory,
          signal,
          publicUrl: store.current().config.publicUrl,
          hasSlackActions: store.current().config.notifications.slack !== undefined,
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
    prepare: async () => {
      const now = await readDatabaseTime(pool);
      settings = await readSettings(pool);
      const { config } = current();
      const notifications = { ...config.notifications, channels: listSendingChannels(config) };
      const { suppressed } = await prepareMessages({ pool, config: notifications, teams: teamsOf(config), now });
      for (const type of suppressed) metrics.notifications.inc({ channel_type: type, outcome: "suppressed" });
      const ageSeconds = await readQueueAgeSeconds(pool, now);
      metrics.notificationAge.set(ageSeconds);
      return ageSeconds > 0;
    },
    turn: () => {
      // Until they are read, the stored channels are unknown.
      if (settings !== undefined) turns.start(listSendingChannels(current().config));
    },
    // While stopping, the error of a failed send is of no use.
    settle: () => turns.settle().catch(() => {}),
  };
}

const selectOldest = tables.selectNoFrom(({ fn, selectFrom }) =>
  fn<Date | null>("least", [
    selectFrom("notifiable_event as e")
      .select((eb) => eb.fn.min("e.queued_at").as("at"))
      .where("e.planned_at", "is", null),
    selectFrom("notification_pending as p").select((eb) => eb.fn.min("p.since").as("at")),
    selectFrom("notification as n")
      .select((eb) => eb.fn.min("n.created_at").as("at"))
      .where("n.state", "in", ["queued", "sending"]),
  ]).as("oldest"),
);

/** Reads for how many seconds the oldest event or message has waited to be sent; 0 if none does. */
export async function readQueueAgeSeconds(connection: Connection, now: Date): Promise<number> {
  const row = await readRow(connection, selectOldest);
  const at = row?.oldest ?? null;
  return at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1000);
}
