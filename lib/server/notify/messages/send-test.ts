import { randomUUID } from "node:crypto";
import type { NotificationItem } from "#lib/contract/notification.ts";
import type { NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { escapeText, toStorableValue } from "#lib/domain/storable/escape-text.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { giveUpAt } from "#lib/server/notify/make-messages.ts";
import { requireAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { type NotificationRow, selectNotifications, serializeNotification } from "./notification-row.ts";

/**
 * Queues a test message to a channel, regardless of routes, quiet hours and rate limit; the recorder sends it. Throws
 * `forbidden`, and `not_found` for a channel that the config does not name.
 */
export async function sendTestNotification({ ctx, input }: Call<{ channel: string }>): Promise<NotificationItem> {
  const { actor, runtime } = ctx;
  const name = escapeText(input.channel).text;
  await requireAdmin(ctx, { code: "notification.test", detail: { channel: name } });
  const { config } = runtime.config();
  const channel = config.notifications.channels.find((each) => each.name === name);
  if (channel === undefined) throw new ServiceError("not_found", `The config names no channel ${name}.`);
  const [id, now] = [randomUUID(), await readDatabaseTime(runtime.pool)];
  let row: NotificationRow | undefined;
  await appendChange(ctx, {
    code: "notification.test",
    detail: { channel: name, notification: id },
    within: async (client) => {
      await prismaOn(client).notification.create({
        data: {
          ...{ id, channel: name, channelType: channel.type, shape: "test", severity: "info" },
          title: testTitle,
          events: toStorableValue([testEvent({ id, by: actor.name, name, now })]),
          createdAt: now,
          nextAttemptAt: now,
          giveUpAt: giveUpAt(now),
        },
        select: { id: true },
      });
      row = await readRow(client, selectNotifications.where("n.id", "=", id));
    },
  });
  if (row === undefined) throw new Error("the test message was not returned");
  return serializeNotification(row);
}

const testTitle = "Test message from Gatehouse";

function testEvent({ id, by, name, now }: { id: string; by: string; name: string; now: Date }): NotifiableEvent {
  return {
    id,
    kind: "test",
    severity: "info",
    target: { cluster: "", namespace: "", kind: null, name: "Gatehouse" },
    title: "Test message",
    sentence: `${by} sent it to check the channel ${name}. Nothing happened.`,
    facts: [],
    path: "/settings/notifications",
    at: now.toISOString(),
  };
}
