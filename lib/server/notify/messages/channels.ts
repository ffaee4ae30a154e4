import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { NotificationChannel, NotificationChannels, NotificationItem } from "#lib/contract/notification.ts";
import type { NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { channelsOf } from "#lib/domain/notify/route-event.ts";
import { escapeText, toStorableValue } from "#lib/domain/storable/escape-text.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { giveUpAt } from "#lib/server/notify/store-message.ts";
import { assertAdmin, requireAdmin } from "#lib/server/people/permission/require-admin.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type RowOf, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { completeLoaded, readSettings } from "#lib/server/records/stored-settings.ts";
import { type NotificationRow, selectNotifications, serializeNotification } from "./notifications.ts";

const selectSummaries = tables
  .selectFrom("notification as n")
  .select("n.channel")
  .select(({ and, eb, fn }) => {
    const isFailure = and([eb("n.state", "in", ["queued", "failed"]), eb("n.last_error", "is not", null)]);
    return [
      fn.max("n.sent_at").as("last_success_at"),
      fn.max("n.last_attempt_at").filterWhere(isFailure).as("last_error_at"),
      sql<
        string | null
      >`(${fn.agg("array_agg", ["n.last_error"]).orderBy("n.last_attempt_at", "desc").filterWhere(isFailure)})[1]`.as(
        "last_error",
      ),
      fn.countAll<string>().filterWhere("n.state", "in", ["queued", "sending"]).as("waiting"),
      fn.countAll<string>().filterWhere("n.state", "=", "failed").as("failed"),
    ];
  })
  .groupBy("n.channel");

const selectTests = tables
  .selectFrom("notification")
  .distinctOn("channel")
  .select(["channel", "state", "created_at", "last_error"])
  .where("shape", "=", "test")
  .orderBy("channel")
  .orderBy("created_at", "desc");

/** Lists the channels of the config. No address and no secret is shown. Throws `forbidden`. */
export async function listChannels({ ctx }: { ctx: ServiceContext }): Promise<NotificationChannels> {
  assertAdmin(ctx);
  const { pool, config } = ctx.runtime;
  const [settings, summaries, tests, pending] = await Promise.all([
    readSettings(pool),
    readRows(pool, selectSummaries),
    readRows(pool, selectTests),
    prismaOn(pool).notificationPending.groupBy({ by: ["channel"], _count: true }),
  ]);
  const { notifications, teams } = completeLoaded(config(), settings).config;
  const { channels, routes } = notifications;
  return {
    items: channels.map(({ name, type }): NotificationChannel => {
      const found = summaries.find(({ channel }) => channel === name);
      const held = pending.find(({ channel }) => channel === name)?._count ?? 0;
      const test = tests.find(({ channel }) => channel === name);
      const isOver = isLater(found?.last_success_at, found?.last_error_at);
      return {
        name,
        type,
        routes: routes.filter((route) => channelsOf(route, teams).includes(name)).map((route) => route.name),
        lastSuccessAt: found?.last_success_at?.toISOString() ?? null,
        lastErrorAt: found?.last_error_at?.toISOString() ?? null,
        lastError: isOver ? null : (found?.last_error ?? null),
        waiting: Number(found?.waiting ?? 0) + held,
        failed: Number(found?.failed ?? 0),
        test: test === undefined ? null : serializeTest(test),
      };
    }),
  };
}

function serializeTest(test: RowOf<typeof selectTests>): NonNullable<NotificationChannel["test"]> {
  return { state: test.state, at: test.created_at.toISOString(), answer: test.last_error };
}

function isLater(one: Date | null | undefined, other: Date | null | undefined): boolean {
  return (one?.getTime() ?? 0) > (other?.getTime() ?? 0);
}

/**
 * Queues a test message to a channel, regardless of routes, quiet hours and rate limit; the recorder sends it. Throws
 * `forbidden`, and `not_found` for an unknown channel.
 */
export async function sendTestNotification({ ctx, input }: Call<{ channel: string }>): Promise<NotificationItem> {
  const { actor, runtime } = ctx;
  const name = escapeText(input.channel).text;
  await requireAdmin(ctx, { code: "notification.test", detail: { channel: name } });
  const { config } = completeLoaded(runtime.config(), await readSettings(runtime.pool));
  const channel = config.notifications.channels.find((each) => each.name === name);
  if (channel === undefined) throw new ServiceError("not_found", `There is no channel ${name}.`);
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
