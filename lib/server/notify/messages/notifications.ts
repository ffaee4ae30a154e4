import { z } from "zod";
import type { ListPage, ListQuery } from "#lib/contract/common.ts";
import type { NotifiableEventItem, NotificationItem, NotificationListQuery } from "#lib/contract/notification.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { giveUpAt } from "#lib/server/notify/store-message.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { assertAdmin, requireAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { listSendingChannels } from "#lib/server/platform/config/ticket-channels.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { textAt } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { DatabaseTime, isPast, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";
import { cleanLine } from "#lib/util/text.ts";

export const selectNotifications = tables
  .selectFrom("notification as n")
  .select(["n.id", "n.channel", "n.channel_type", "n.shape", "n.severity", "n.title", "n.routes", "n.state"])
  .select([
    "n.attempts",
    "n.created_at",
    "n.next_attempt_at",
    "n.last_error",
    "n.sent_at",
    "n.ended_at",
    "n.incident_id",
    "n.incident_step",
  ])
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

/**
 * Queues a message again that was given up or suppressed, with the same id and content. Throws `forbidden`, `not_found`,
 * and `not_allowed_now` for one in another state, if the config does not name its channel, or if it is about something that
 * is over.
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
  const channels = listSendingChannels(runtime.config().config);
  if (!channels.some(({ name }) => name === before.channel))
    throw new ServiceError("not_allowed_now", `The config names no channel ${before.channel} any more.`);
  if (await isOvertaken(runtime.pool, before))
    throw new ServiceError("not_allowed_now", "It is over: there is nothing to send.");
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

/**
 * Returns whether a message is about something that is over: an incident of PagerDuty, which is stored until then, or
 * something else that a later message is about.
 */
async function isOvertaken(connection: Connection, row: NotificationRow): Promise<boolean> {
  const { channel, channel_type: type, incident_id: id, incident_step: step } = row;
  if (id === null || step === null) return false;
  const { notification, notificationIncident } = prismaOn(connection);
  if (type === "pagerduty") return (await notificationIncident.count({ where: { id } })) === 0;
  return (await notification.count({ where: { channel, incidentId: id, incidentStep: { gt: step } } })) > 0;
}

const { ref } = fragment<{ e: "notifiable_event" }>();
const place = {
  cluster: ref("e.cluster"),
  namespace: ref("e.namespace"),
  kind: ref("e.object_kind"),
  name: ref("e.name"),
};

const selectItems = tables
  .selectFrom("notifiable_event as e")
  .select(["e.id", "e.kind", "e.severity", "e.cluster", "e.namespace", "e.object_kind", "e.name"])
  .select(["e.title", "e.sentence", "e.path", "e.at", "e.queued_at"])
  .select(({ cast }) => cast<string>("e.queued_at", "text").as("queued_key"));

/** Lists the events whose rollout the actor may see, newest first. */
export async function listNotifiableEvents({ ctx, input }: Call<ListQuery>): Promise<ListPage<NotifiableEventItem>> {
  const after = parseListCursor(Key, input.cursor);
  const query = selectItems
    .where((eb) =>
      allOf([
        isReadable(ctx.actor.rights, place),
        given(after, (key) => isPast({ time: eb.ref("e.queued_at"), id: eb.ref("e.id") }, key)),
      ]),
    )
    .orderBy("e.queued_at", "desc")
    .orderBy("e.id");
  return readPage(ctx.runtime.pool, {
    query,
    limit: input.limit,
    keyOf: (row) => [row.queued_key, row.id],
    toItem: serialize,
  });
}

function serialize({ object_kind, at, kind, ...row }: RowOf<typeof selectItems>): NotifiableEventItem {
  // Tests and deployments go to one channel and are no events of the outbox.
  if (kind === "test" || kind === "deployment") throw new TypeError(`a ${kind} is no event`);
  const { id, severity, cluster, namespace, name, path } = row;
  return {
    ...{ id, kind, severity, cluster, namespace, name, path },
    title: cleanLine(row.title),
    sentence: cleanLine(row.sentence),
    kindOfObject: object_kind,
    at: at.toISOString(),
    queuedAt: row.queued_at.toISOString(),
  };
}
