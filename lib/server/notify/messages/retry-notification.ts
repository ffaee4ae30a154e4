import { z } from "zod";
import type { NotificationItem } from "#lib/contract/notification.ts";
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
 * Queues a message again that was given up or suppressed, with the same id and content. Throws `forbidden`, `not_found`,
 * and `not_allowed_now` for one in another state, or if the config does not name its channel.
 */
export async function retryNotification({ ctx, input: { id } }: Call<{ id: string }>): Promise<NotificationItem> {
  const { runtime } = ctx;
  await requireAdmin(ctx, {
    code: "notification.retry",
    detail: { notification: z.uuid().safeParse(id).data ?? null },
  });
  const query = selectNotifications.where("n.id", "=", id);
  const before = z.uuid().safeParse(id).success ? await readRow(runtime.pool, query) : undefined;
  if (before === undefined) throw new ServiceError("not_found", `There is no message ${id}.`);
  const { notifications } = runtime.config().config;
  if (!notifications.channels.some(({ name }) => name === before.channel))
    throw new ServiceError("not_allowed_now", `The config names no channel ${before.channel} any more.`);
  const now = await readDatabaseTime(runtime.pool);
  let row: NotificationRow | undefined;
  await appendChange(ctx, {
    code: "notification.retry",
    detail: { channel: before.channel, notification: id },
    within: async (client) => {
      const changed = await prismaOn(client).notification.updateMany({
        where: { id, state: { in: ["failed", "suppressed"] } },
        data: { state: "queued", nextAttemptAt: now, giveUpAt: giveUpAt(now), endedAt: null },
      });
      if (changed.count === 0)
        throw new ServiceError(
          "not_allowed_now",
          `The message is ${before.state}: only one that was given up is sent again.`,
        );
      row = await readRow(client, query);
    },
  });
  if (row === undefined) throw new Error("the message was not returned");
  return serializeNotification(row);
}
