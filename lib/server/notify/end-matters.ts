import { type SqlBool, sql } from "kysely";
import type { Pool } from "pg";
import { maxEvents } from "#lib/domain/notify/compose-messages.ts";
import { eventOfWaitEnd } from "#lib/domain/notify/make-notifiable-event.ts";
import type { NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { leadsTo, type NotificationRoute } from "#lib/domain/notify/route-event.ts";
import { toStorableValue } from "#lib/domain/storable/escape-text.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { textAt } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { inTurn } from "./in-turn.ts";
import { tellOfAlerts } from "./make-alerts.ts";
import { tellOfIncident } from "./make-incidents.ts";
import { parseRoutes } from "./matters.ts";
import type { MessageChannel } from "./store-message.ts";
import { StoredEvent } from "./stored-event.ts";
import { changeMessages } from "./tell-slack.ts";

const pageSize = 500;

/** Matters that are over: the rollout waits for something else or for nothing, or the finding is closed. */
const selectEnded = tables
  .selectFrom("notification_matter as m")
  .leftJoin("rollout as r", "r.id", "m.rollout_id")
  .leftJoin("finding as f", (join) => join.onRef("f.id", "=", "m.matter_id").on("m.rollout_id", "is", null))
  .select(["m.channel", "m.channel_type", "m.matter_id", "m.incident_id", "m.told_at", "m.event", "m.routes"])
  .where(({ and, eb, or, ref }) =>
    or([
      and([
        eb("m.rollout_id", "is not", null),
        sql<SqlBool>`(${ref("r.attention_reason")}, date_trunc('milliseconds', ${ref("r.attention_since")}))
          IS DISTINCT FROM (${ref("m.cause")}, ${ref("m.since")})`,
      ]),
      and([eb("m.rollout_id", "is", null), or([eb("f.id", "is", null), eb("f.closed_at", "is not", null)])]),
    ]),
  )
  .orderBy("m.channel")
  .orderBy("m.matter_id")
  .limit(pageSize)
  .forUpdate("m")
  .skipLocked();

type Ended = { event: NotifiableEvent; matterId: string; incidentId: string | null; isTold: boolean; routes: string[] };

/**
 * Tells channels of what is over, and forgets it: resolves incidents whose last matter it is and alerts, and sends the
 * event `wait-ended` by the routes that the beginning came by, or changes the message of a bot in Slack. What no message
 * told PagerDuty or Alertmanager of yet is not told at all. Resolves with the number of matters.
 */
export async function endMatters({
  pool,
  routes,
  now,
}: {
  pool: Pool;
  routes: readonly NotificationRoute[];
  now: Date;
}): Promise<number> {
  return inTurn(pool, async (tx) => {
    const rows = await readRows(tx, selectEnded);
    for (const [name, ofChannel] of Map.groupBy(rows, ({ channel }) => channel)) {
      const [first] = ofChannel;
      if (first === undefined) continue;
      const channel = { name, type: first.channel_type };
      const ended = ofChannel.map((row) => ({
        ...{ matterId: row.matter_id, incidentId: row.incident_id, isTold: row.told_at !== null },
        ...{ event: StoredEvent.parse(row.event), routes: parseRoutes(row.routes) },
      }));
      const matterIds = ended.map(({ matterId }) => matterId);
      await prismaOn(tx).notificationMatter.deleteMany({ where: { channel: name, matterId: { in: matterIds } } });
      if (channel.type === "pagerduty") await endInIncidents(tx, { channel, ended, now });
      else if (channel.type === "alertmanager") await endAlerts(tx, { channel, ended, now });
      else {
        const isTold = ({ incidentId }: Ended): boolean => channel.type === "slack" && incidentId !== null;
        await changeMessages(tx, { channel, ended: ended.filter(isTold), now });
        await tellOfEnds(tx, { channel, ended: ended.filter((each) => !isTold(each)), routes, now });
      }
    }
    return rows.length;
  });
}

type Ending = { channel: MessageChannel; ended: Ended[]; now: Date };

async function tellOfEnds(
  tx: Connection,
  { channel, ended, routes, now }: Ending & { routes: readonly NotificationRoute[] },
): Promise<void> {
  const data = ended.flatMap(({ event: began, routes: cameBy }) => {
    const event = leadsTo(routes, cameBy, "wait-ended") ? eventOfWaitEnd(began, now) : undefined;
    if (event === undefined) return [];
    return {
      ...{ eventId: event.id, channel: channel.name, channelType: channel.type, since: now },
      // After everything that was stored before it: events have numbers from 1 on.
      ...{ seq: BigInt(Number.MAX_SAFE_INTEGER), routes: cameBy, event: toStorableValue(event) },
    };
  });
  await prismaOn(tx).notificationPending.createMany({ data, skipDuplicates: true });
}

async function endAlerts(tx: Connection, { channel, ended, now }: Ending): Promise<void> {
  await removeUntold(tx, { channel, ended });
  const told = ended.filter(({ isTold }) => isTold);
  for (let from = 0; from < told.length; from += maxEvents) {
    const taken = told.slice(from, from + maxEvents);
    const events = taken.map(({ event }) => event);
    const routes = [...new Set(taken.flatMap((each) => each.routes))];
    await tellOfAlerts(tx, { channel, shape: "resolve", events, routes, now });
  }
}

async function endInIncidents(tx: Connection, { channel, ended, now }: Ending): Promise<void> {
  await removeUntold(tx, { channel, ended });
  const byIncident = Map.groupBy(ended, ({ incidentId }) => incidentId ?? "");
  for (const id of [...byIncident.keys()].toSorted()) {
    const about = (byIncident.get(id) ?? []).slice(0, maxEvents);
    if (id !== "") await resolveIfOver(tx, { incident: { id, channel }, about, now });
  }
}

/** Removes what would still be told of these matters. */
async function removeUntold(tx: Connection, { channel, ended }: Omit<Ending, "now">): Promise<void> {
  const ids = ended.map(({ matterId }) => matterId);
  await write(
    tx,
    tables
      .deleteFrom("notification_pending")
      .where("channel", "=", channel.name)
      .where(({ ref }) => isOneOf(textAt(ref("event"), "matter", "id"), ids)),
  );
}

type Resolving = { incident: { id: string; channel: MessageChannel }; about: Ended[]; now: Date };

/** Resolves an incident without open matters. If nothing of it was sent, the receiver is not told of it at all. */
async function resolveIfOver(tx: Connection, { incident, about, now }: Resolving): Promise<void> {
  const { id, channel } = incident;
  const { notification, notificationIncident, notificationMatter } = prismaOn(tx);
  // Another process that ends its other matters, or adds one, waits here: the last one sees the whole.
  const locked = await readRow(
    tx,
    tables.selectFrom("notification_incident").select("id").where("id", "=", id).forUpdate(),
  );
  if (locked === undefined) return;
  if ((await notificationMatter.count({ where: { channel: channel.name, incidentId: id } })) > 0) return;
  await notification.updateMany({
    where: { incidentId: id, state: "queued" },
    data: { state: "suppressed", endedAt: now, lastError: "It was over before it was sent." },
  });
  const tried = await notification.findFirst({
    where: { incidentId: id, attempts: { gt: 0 } },
    select: { id: true },
  });
  if (tried !== null) await tellOfIncident(tx, { incident, shape: "resolve", about, now });
  await notificationIncident.deleteMany({ where: { id } });
}

/** Acknowledges incidents once a person claims one of their waits, or acknowledges one of their findings. */
export async function acknowledgeIncidents(pool: Pool, now: Date): Promise<void> {
  await inTurn(pool, async (tx) => {
    for (const { id, channel: name, channel_type: type } of await readRows(tx, selectTaken(now))) {
      await tellOfIncident(tx, { incident: { id, channel: { name, type } }, shape: "acknowledge", now });
      await prismaOn(tx).notificationIncident.updateMany({ where: { id }, data: { acknowledgedAt: now } });
    }
  });
}

const ofIncident = fragment<{ i: "notification_incident" }>();
const ofMatter = fragment<{ m: "notification_matter" }>();

const acknowledgedFinding = ofMatter
  .selectFrom("finding as f")
  .select("f.id")
  .whereRef("f.id", "=", "m.matter_id")
  .where("m.rollout_id", "is", null)
  .where("f.acknowledged_at", "is not", null);

function selectClaim(now: Date) {
  return ofMatter
    .selectFrom("wait_mark as k")
    .select("k.rollout_id")
    .whereRef("k.rollout_id", "=", "m.rollout_id")
    .where("k.kind", "=", "claim")
    .where("k.until", ">", now)
    .where(
      ({ ref }) => sql<SqlBool>`(${ref("k.attention_reason")}, date_trunc('milliseconds', ${ref("k.attention_since")}))
        = (${ref("m.cause")}, ${ref("m.since")})`,
    );
}

function selectTaken(now: Date) {
  const taken = ofIncident
    .selectFrom("notification_matter as m")
    .select("m.matter_id")
    .whereRef("m.incident_id", "=", "i.id")
    .whereRef("m.channel", "=", "i.channel")
    .where(ofMatter.or([ofMatter.exists(selectClaim(now)), ofMatter.exists(acknowledgedFinding)]));
  return tables
    .selectFrom("notification_incident as i")
    .select(["i.id", "i.channel", "i.channel_type"])
    .where("i.acknowledged_at", "is", null)
    .where(({ exists }) => exists(taken))
    .orderBy("i.id")
    .limit(pageSize)
    .forUpdate("i")
    .skipLocked();
}
