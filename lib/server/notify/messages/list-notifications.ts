import { z } from "zod";
import type { ListPage } from "#lib/contract/common.ts";
import type { NotificationItem, NotificationListQuery } from "#lib/contract/notification.ts";
import { assertAdmin } from "#lib/server/people/permission/assert-admin.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { DatabaseTime, isPast, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";
import { selectNotifications, serializeNotification } from "./notification-row.ts";

const Key = z.tuple([DatabaseTime, z.uuid()]);

/** Lists the messages to all channels, newest first. Throws `forbidden`: they are about everything that is watched. */
export async function listNotifications({
  ctx,
  input,
}: Call<NotificationListQuery>): Promise<ListPage<NotificationItem>> {
  assertAdmin(ctx);
  const after = parseListCursor(Key, input.cursor);
  const query = selectNotifications
    .where((eb) =>
      allOf([
        given(input.channel, (channel) => eb("n.channel", "=", channel)),
        given(input.state, (state) => eb("n.state", "=", state)),
        given(after, (key) => isPast({ time: eb.ref("n.created_at"), id: eb.ref("n.id") }, key)),
      ]),
    )
    .orderBy("n.created_at", "desc")
    .orderBy("n.id");
  return readPage(ctx.runtime.pool, {
    query,
    limit: input.limit,
    keyOf: (row) => [row.created_key, row.id],
    toItem: serializeNotification,
  });
}
