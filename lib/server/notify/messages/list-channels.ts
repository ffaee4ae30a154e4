import { sql } from "kysely";
import type { NotificationChannel, NotificationChannels } from "#lib/contract/notification.ts";
import { assertAdmin } from "#lib/server/people/permission/assert-admin.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

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

/** Lists the channels of the config. No address and no secret is shown. Throws `forbidden`. */
export async function listChannels({ ctx }: { ctx: ServiceContext }): Promise<NotificationChannels> {
  assertAdmin(ctx);
  const { pool, config } = ctx.runtime;
  const [summaries, pending] = await Promise.all([
    readRows(pool, selectSummaries),
    prismaOn(pool).notificationPending.groupBy({ by: ["channel"], _count: true }),
  ]);
  const { channels, routes } = config().config.notifications;
  return {
    items: channels.map(({ name, type }): NotificationChannel => {
      const found = summaries.find(({ channel }) => channel === name);
      const held = pending.find(({ channel }) => channel === name)?._count ?? 0;
      const isOver = isLater(found?.last_success_at, found?.last_error_at);
      return {
        name,
        type,
        routes: routes.filter(({ to }) => to.includes(name)).map((route) => route.name),
        lastSuccessAt: found?.last_success_at?.toISOString() ?? null,
        lastErrorAt: found?.last_error_at?.toISOString() ?? null,
        lastError: isOver ? null : (found?.last_error ?? null),
        waiting: Number(found?.waiting ?? 0) + held,
        failed: Number(found?.failed ?? 0),
      };
    }),
  };
}

function isLater(one: Date | null | undefined, other: Date | null | undefined): boolean {
  return (one?.getTime() ?? 0) > (other?.getTime() ?? 0);
}
