import type { NotificationItem } from "#lib/contract/notification.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { textAt } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

export const selectNotifications = tables
  .selectFrom("notification as n")
  .select(["n.id", "n.channel", "n.channel_type", "n.shape", "n.severity", "n.title", "n.routes", "n.state"])
  .select(["n.attempts", "n.created_at", "n.next_attempt_at", "n.last_error", "n.sent_at", "n.ended_at"])
  .select(({ cast, fn, ref }) => [
    cast<string>("n.created_at", "text").as("created_key"),
    fn<number>("jsonb_array_length", ["n.events"]).as("events"),
    textAt(ref("n.events"), "-1", "path").as("path"),
  ]);

export type NotificationRow = RowOf<typeof selectNotifications>;

export function serializeNotification(row: NotificationRow): NotificationItem {
  const { id, channel, shape, severity, title, state, attempts, events, path } = row;
  return {
    ...{ id, channel, shape, severity, title, state, attempts, events, path },
    channelType: row.channel_type,
    routes: Array.isArray(row.routes) ? row.routes.map(String) : [],
    createdAt: row.created_at.toISOString(),
    nextAttemptAt: row.ended_at === null ? row.next_attempt_at.toISOString() : null,
    lastError: row.last_error,
    sentAt: row.sent_at?.toISOString() ?? null,
  };
}
