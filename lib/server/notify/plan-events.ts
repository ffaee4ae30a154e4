import type { Pool } from "pg";
import { routeEvent } from "#lib/domain/notify/route-event.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import type { NotificationConfig } from "#lib/server/platform/config/notification-schema.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { lockPlace } from "./notification-place.ts";
import { routesOf } from "./route-of-config.ts";
import { lockUnplanned, toEvent } from "./stored-event.ts";

const pageSize = 500;

/**
 * Decides which channels are told of new events. Each event is planned once, by the routes of that moment: a channel
 * that is added later is told nothing old. Resolves with the number of events.
 */
export async function planEvents({
  pool,
  config,
  now,
}: {
  pool: Pool;
  config: Pick<NotificationConfig, "routes" | "channels">;
  now: Date;
}): Promise<number> {
  const routes = routesOf(config);
  const types = new Map(config.channels.map(({ name, type }) => [name, type]));
  return inTransaction(pool, async (tx) => {
    const rows = await lockUnplanned(tx, pageSize);
    if (rows.length === 0) return 0;
    const { beginsAt } = await lockPlace(tx);
    const pending = rows
      .filter(({ at }) => at >= beginsAt)
      .flatMap((row) => {
        const event = toEvent(row);
        return routeEvent(event, routes).flatMap(({ channel, routes: names }) => {
          const type = types.get(channel);
          // The config names no route to a channel that it does not have.
          if (type === undefined) return [];
          return [
            {
              ...{ event_id: event.id, channel, channel_type: type, seq: row.seq, since: now },
              routes: JSON.stringify(names),
              event: toStorableJson(event),
            },
          ];
        });
      });
    if (pending.length > 0)
      await write(
        tx,
        tables
          .insertInto("notification_pending")
          .values(pending)
          .onConflict((conflict) => conflict.columns(["event_id", "channel"]).doNothing()),
      );
    const ids = rows.map(({ id }) => id);
    await write(
      tx,
      tables
        .updateTable("notifiable_event")
        .set({ planned_at: now })
        .where(({ ref }) => isOneOf(ref("id"), ids, "uuid")),
    );
    return rows.length;
  });
}
