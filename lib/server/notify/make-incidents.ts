import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { type Message, maxEvents, type PendingEvent, titleOf } from "#lib/domain/notify/compose-messages.ts";
import { groupIncidents, incidentWindowMs } from "#lib/domain/notify/group-incidents.ts";
import { highestOf, type NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { markTold, parseRoutes, trackPending } from "./matters.ts";
import { type MessageChannel, storeMessage } from "./store-message.ts";
import { StoredEvent } from "./stored-event.ts";

type Making = { channel: MessageChannel; pending: readonly PendingEvent[]; now: Date; windowMs: number };

/**
 * Opens incidents of a channel's pending events, or adds them to open ones, each with one message. Resolves with the
 * number of messages.
 */
export async function makeIncidents(tx: Connection, { channel, windowMs, now, ...given }: Making): Promise<number> {
  const { pending, matters } = await trackPending(tx, { channel, pending: given.pending });
  const open = await lockIncidents(tx, channel.name);
  const isOpen = new Set(open.map(({ id }) => id));
  const changes = groupIncidents({
    ...{ channel: channel.name, pending, open, now: now.getTime(), windowMs },
    incidentOf: new Map(
      [...matters.values()].flatMap(({ matterId, incidentId }) =>
        incidentId !== null && isOpen.has(incidentId) ? [[matterId, incidentId]] : [],
      ),
    ),
    openedLately: await countOpened(tx, channel.name, now),
  });
  for (const { incident, isNew, pending: taken } of changes) {
    const { id, groupKey } = incident;
    if (isNew)
      await prismaOn(tx).notificationIncident.create({
        data: { id, channel: channel.name, channelType: channel.type, groupKey, openedAt: now },
      });
    await markTold(tx, { channel, pending: taken, incidentId: id, now });
    await tellOfIncident(tx, { incident: { id, channel }, shape: "trigger", now });
  }
  return changes.length;
}

async function lockIncidents(tx: Connection, name: string) {
  const rows = await readRows(
    tx,
    tables
      .selectFrom("notification_incident as i")
      .select(["i.id", "i.group_key", "i.opened_at"])
      .select(({ selectFrom }) =>
        selectFrom("notification_matter as m")
          .select(countRows().as("size"))
          .whereRef("m.incident_id", "=", "i.id")
          .whereRef("m.channel", "=", "i.channel")
          .as("size"),
      )
      .where("i.channel", "=", name)
      .orderBy("i.opened_at")
      .orderBy("i.id")
      .forUpdate("i"),
  );
  return rows.map((row) => ({
    ...{ id: row.id, groupKey: row.group_key, openedAt: row.opened_at.getTime(), size: row.size ?? 0 },
  }));
}

/** Counts the incidents that the channel opened within the window, by their first messages. */
async function countOpened(tx: Connection, name: string, now: Date): Promise<number> {
  const row = await readRow(
    tx,
    tables
      .selectFrom("notification")
      .select(countRows().as("opened"))
      .where("created_at", ">", new Date(now.getTime() - incidentWindowMs))
      .where("channel", "=", name)
      .where("incident_step", "=", 1),
  );
  return row?.opened ?? 0;
}

type Telling = {
  incident: { id: string; channel: MessageChannel };
  shape: "trigger" | "acknowledge" | "resolve";
  /** What it is about; default: all that is open. */
  about?: About[];
  now: Date;
};
type About = { event: NotifiableEvent; routes: readonly string[] };

const prefixes = { trigger: "", acknowledge: "Acknowledged: ", resolve: "Over: " } as const;

/** Stores the next message about an incident, whose row is locked. */
export async function tellOfIncident(
  tx: Connection,
  { incident: { id, channel }, shape, about, now }: Telling,
): Promise<void> {
  const [row] = await prismaOn(tx).notificationIncident.updateManyAndReturn({
    where: { id },
    data: { steps: { increment: 1 } },
    select: { steps: true },
  });
  if (row === undefined) throw new Error("the incident is not stored");
  const told = about ?? (await readOpen(tx, { id, channel }));
  const events = told.map(({ event }) => event);
  const message: Message = {
    id: stableUuid("message", channel.name, id, row.steps),
    severity: highestOf(events.map(({ severity }) => severity)),
    title: `${prefixes[shape]}${titleOf(events)}`,
    routes: [...new Set(told.flatMap(({ routes }) => routes))],
    ...{ shape, events, incidentId: id },
  };
  await storeMessage(tx, { message, channel, step: row.steps, now });
}

async function readOpen(tx: Connection, { id, channel }: Telling["incident"]): Promise<About[]> {
  const rows = await readRows(
    tx,
    tables
      .selectFrom("notification_matter")
      .select(["event", "routes"])
      .where("channel", "=", channel.name)
      .where("incident_id", "=", id)
      .orderBy("since")
      .orderBy("matter_id")
      .limit(maxEvents),
  );
  return rows.map(({ event, routes }) => ({ event: StoredEvent.parse(event), routes: parseRoutes(routes) }));
}
