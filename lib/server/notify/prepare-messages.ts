import type { Pool } from "pg";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { routeEvent } from "#lib/domain/notify/route-event.ts";
import { findTeam, type Labels, type Team } from "#lib/domain/policy/find-team.ts";
import type { Target } from "#lib/domain/policy/rights.ts";
import { toStorableValue } from "#lib/domain/storable/escape-text.ts";
import { isOfReleases, isTracking, type NotificationConfig } from "#lib/server/platform/config/notification-schema.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { isAtAnyPlace } from "#lib/server/records/rollout-row.ts";
import { collectAttention, collectAudit, lockPlace } from "./collect-events.ts";
import { acknowledgeIncidents, endMatters } from "./end-matters.ts";
import { inTurn } from "./in-turn.ts";
import { refreshAlerts } from "./make-alerts.ts";
import { makeMessages, type Pace, routesOf } from "./make-messages.ts";
import { storeMatters, type Told } from "./matters.ts";
import { channelIsGone } from "./store-message.ts";
import { lockUnplanned, toEvent } from "./stored-event.ts";

/**
 * Collects the events of waits and of the audit log since the last pass, assigns them to channels, and makes the
 * messages that are due. Each step is a separate transaction that consumes its input as it stores its output: an
 * interruption loses nothing and repeats nothing.
 */
export async function prepareMessages({
  pool,
  config,
  teams,
  now,
  pace,
}: {
  pool: Pool;
  config: NotificationConfig;
  teams?: readonly Team[] | undefined;
  now: Date;
  pace?: Pace;
}): Promise<{ suppressed: string[] }> {
  await untilNone(() => collectAudit(pool));
  await untilNone(() => collectAttention(pool));
  await untilNone(() => planEvents({ pool, config, teams, now }));
  const suppressed = await suppressOrphans({ pool, channels: config.channels, now });
  await untilNone(() => endMatters({ pool, routes: routesOf(config), now }));
  await makeMessages({ pool, config, now, pace });
  await acknowledgeIncidents(pool, now);
  for (const channel of config.channels)
    if (channel.type === "alertmanager") await inTurn(pool, (tx) => refreshAlerts(tx, channel, now));
  return { suppressed };
}

/** A pass takes as many pages as there are, within reason: the next pass is a second later. */
async function untilNone(step: () => Promise<number>): Promise<void> {
  for (let page = 0; page < 20; page++) if ((await step()) === 0) return;
}

/**
 * Ends the messages to channels that the config no longer has. Resolves with the types of their channels. `now` is
 * before the channels were read: a message made since may go to a new one.
 */
export async function suppressOrphans({
  pool,
  channels,
  now,
}: {
  pool: Connection;
  channels: readonly { name: string }[];
  now: Date;
}): Promise<string[]> {
  const names = channels.map(({ name }) => name);
  const rows = await readRows(
    pool,
    tables
      .updateTable("notification")
      .set({ state: "suppressed", ended_at: now, last_error: channelIsGone })
      .where("id", "in", ({ selectFrom }) =>
        selectFrom("notification as n")
          .select("n.id")
          .where("n.state", "in", ["queued", "sending"])
          .where(({ ref, not }) => not(isOneOf(ref("n.channel"), names)))
          .where("n.created_at", "<=", now)
          // Whoever has locked one may wait for another that this would lock. The next pass takes it.
          .forUpdate()
          .skipLocked(),
      )
      .returning("channel_type"),
  );
  return rows.map(({ channel_type: type }) => type);
}

const pageSize = 500;
/** A call of Prisma's client has at most 32,766 parameters, and a row has seven. */
const rowsPerCall = 4000;

/**
 * Decides which channels are told of new events. Each event is planned once, by the routes of that moment: a channel
 * that is added later is told nothing old. Resolves with the number of events.
 */
export async function planEvents({
  pool,
  config,
  teams = [],
  now,
}: {
  pool: Pool;
  config: Pick<NotificationConfig, "routes" | "channels">;
  teams?: readonly Team[] | undefined;
  now: Date;
}): Promise<number> {
  const routes = routesOf(config);
  const types = new Map(config.channels.map(({ name, type }) => [name, type]));
  return inTransaction(pool, async (tx) => {
    const rows = await lockUnplanned(tx, pageSize);
    if (rows.length === 0) return 0;
    const { beginsAt } = await lockPlace(tx);
    const due = rows.filter(({ at }) => at >= beginsAt).map((row) => ({ row, event: toEvent(row) }));
    const findOwner = await readOwners(tx, { teams, targets: due.map(({ event }) => event.target) });
    const told: Told[] = [];
    const pending = due.flatMap(({ row, event }) =>
      routeEvent(event, routes, findOwner(event.target)).flatMap(({ channel, routes: names }) => {
        const type = types.get(channel);
        // A stored channel may be missing: one that the config file no longer allows, or that only a team still names.
        if (type === undefined || isOfReleases({ type })) return [];
        // Others keep track of what they are told by its pending events.
        if (event.matter?.rolloutId != null && !isTracking(type))
          told.push({ channel: { name: channel, type }, event, routes: names });
        return [
          {
            ...{ eventId: event.id, channel, channelType: type, seq: BigInt(row.seq), since: now },
            ...{ routes: names, event: toStorableValue(event) },
          },
        ];
      }),
    );
    const { notificationPending, notifiableEvent } = prismaOn(tx);
    for (let from = 0; from < pending.length; from += rowsPerCall) {
      const data = pending.slice(from, from + rowsPerCall);
      await notificationPending.createMany({ data, skipDuplicates: true });
    }
    await storeMatters(tx, told);
    const ids = rows.map(({ id }) => id);
    await notifiableEvent.updateMany({ where: { id: { in: ids } }, data: { plannedAt: now } });
    return rows.length;
  });
}

/**
 * Returns a function that finds the team that owns a target. Labels of the rollouts are read if a team has some. What is
 * not recorded has no labels.
 */
async function readOwners(
  connection: Connection,
  { teams, targets }: { teams: readonly Team[]; targets: readonly Target[] },
): Promise<(target: Target) => Team | undefined> {
  const byLabel = teams.some(({ labels }) => Object.keys(labels).length > 0);
  const labels = byLabel ? await readLabels(connection, targets.filter(hasKind)) : new Map<string, Labels>();
  return (target) =>
    findTeam(teams, { ...target, labels: (hasKind(target) && labels.get(formatObjectRef(target))) || {} });
}

function hasKind(target: Target): target is ObjectRef {
  return target.kind !== null;
}

/** Reads the labels by address: of the rollout that the cluster has, else of the one seen last. */
async function readLabels(connection: Connection, targets: readonly ObjectRef[]): Promise<Map<string, Labels>> {
  if (targets.length === 0) return new Map();
  const rows = await readRows(
    connection,
    tables
      .selectFrom("rollout as r")
      .select(["r.cluster", "r.namespace", "r.kind", "r.name", "r.labels"])
      .where(isAtAnyPlace(targets))
      .orderBy((eb) => eb("r.presence", "<>", "deleted"))
      .orderBy("r.first_seen_at"),
  );
  return new Map(rows.map((row) => [formatObjectRef(row), row.labels]));
}
