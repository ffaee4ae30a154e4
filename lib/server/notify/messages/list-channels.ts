import { sql } from "kysely";
import type { NotificationChannel, NotificationChannels } from "#lib/contract/notification.ts";
import { assertAdmin } from "#lib/server/people/permission/assert-admin.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

const selectSummaries = tables
  .selectFrom("notification as n")
  .select("n.channel")
  .select(({ ref }) => [
    sql<Date | null>`max(${ref("n.sent_at")})`.as("last_success_at"),
    sql<Date | null>`max(${ref("n.last_attempt_at")}) FILTER (WHERE ${ref("n.state")} IN ('queued', 'failed')
      AND ${ref("n.last_error")} IS NOT NULL)`.as("last_error_at"),
    sql<string | null>`(array_agg(${ref("n.last_error")} ORDER BY ${ref("n.last_attempt_at")} DESC)
      FILTER (WHERE ${ref("n.state")} IN ('queued', 'failed') AND ${ref("n.last_error")} IS NOT NULL))[1]`.as(
      "last_error",
    ),
    sql<number>`(count(*) FILTER (WHERE ${ref("n.state")} IN ('queued', 'sending')))::int`.as("waiting"),
    sql<number>`(count(*) FILTER (WHERE ${ref("n.state")} = 'failed'))::int`.as("failed"),
  ])
  .groupBy("n.channel");

const countPending = tables
  .selectFrom("notification_pending as p")
  .select("p.channel")
  .select(sql<number>`count(*)::int`.as("count"))
  .groupBy("p.channel");

/** Lists the channels of the config. No address and no secret is shown. Throws `forbidden`. */
export async function listChannels({ ctx }: { ctx: ServiceContext }): Promise<NotificationChannels> {
  assertAdmin(ctx);
  const { pool, config } = ctx.runtime;
  const [summaries, pending] = await Promise.all([readRows(pool, selectSummaries), readRows(pool, countPending)]);
  const { channels, routes } = config().config.notifications;
  return {
    items: channels.map(({ name, type }): NotificationChannel => {
      const found = summaries.find(({ channel }) => channel === name);
      const held = pending.find(({ channel }) => channel === name)?.count ?? 0;
      const isOver = isLater(found?.last_success_at, found?.last_error_at);
      return {
        name,
        type,
        routes: routes.filter(({ to }) => to.includes(name)).map((route) => route.name),
        lastSuccessAt: found?.last_success_at?.toISOString() ?? null,
        lastErrorAt: found?.last_error_at?.toISOString() ?? null,
        lastError: isOver ? null : (found?.last_error ?? null),
        waiting: (found?.waiting ?? 0) + held,
        failed: found?.failed ?? 0,
      };
    }),
  };
}

function isLater(one: Date | null | undefined, other: Date | null | undefined): boolean {
  return (one?.getTime() ?? 0) > (other?.getTime() ?? 0);
}
