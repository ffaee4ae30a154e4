import { z } from "zod";
import type { PendingEvent } from "#lib/domain/notify/compose-messages.ts";
import { isOver, type NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { toStorableValue } from "#lib/domain/storable/escape-text.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { type MessageChannel, removePending } from "./store-message.ts";
import { StoredEvent } from "./stored-event.ts";

/** A call of Prisma's client has at most 32,766 parameters. */
const rowsPerCall = 2000;

export type Told = { channel: MessageChannel; event: NotifiableEvent; routes: readonly string[] };

/** Stores which matters channels are told of, until they are over. One that is stored already stays as it is. */
export async function storeMatters(tx: Connection, told: readonly Told[]): Promise<void> {
  const rows = told.flatMap(({ channel, event, routes }) => {
    const { matter } = event;
    if (matter === undefined || isOver(event)) return [];
    return {
      ...{ channel: channel.name, channelType: channel.type, matterId: matter.id, rolloutId: matter.rolloutId },
      ...{ cause: matter.cause, since: new Date(matter.since), routes: [...routes], event: toStorableValue(event) },
    };
  });
  for (let from = 0; from < rows.length; from += rowsPerCall) {
    const data = rows.slice(from, from + rowsPerCall);
    await prismaOn(tx).notificationMatter.createMany({ data, skipDuplicates: true });
  }
}

type OpenMatter = { matterId: string; event: NotifiableEvent; incidentId: string | null; toldAt: Date | null };
type Tracked = { pending: PendingEvent[]; matters: Map<string, OpenMatter> };

/**
 * Stores and locks the matters of a channel's pending events. Returns those events; others have no end, and are removed.
 * What another process ends at the moment is left out.
 */
export async function trackPending(
  tx: Connection,
  { channel, pending }: { channel: MessageChannel; pending: readonly PendingEvent[] },
): Promise<Tracked> {
  const isTracked = ({ event }: PendingEvent): boolean => event.matter !== undefined && !isOver(event);
  const tracked = pending.filter(isTracked);
  const useless = pending.filter((each) => !isTracked(each)).map(({ event }) => event.id);
  if (useless.length > 0) await removePending(tx, channel.name, useless);
  await storeMatters(
    tx,
    tracked.map(({ event, routes }) => ({ channel, event, routes })),
  );
  const ids = tracked.flatMap(({ event }) => event.matter?.id ?? []);
  const rows = await readRows(
    tx,
    tables
      .selectFrom("notification_matter")
      .select(["matter_id", "event", "incident_id", "told_at"])
      .where("channel", "=", channel.name)
      .where(({ ref }) => isOneOf(ref("matter_id"), ids, "uuid"))
      .forUpdate()
      .skipLocked(),
  );
  const matters = new Map(
    rows.map((row) => [
      row.matter_id,
      {
        ...{ matterId: row.matter_id, incidentId: row.incident_id, toldAt: row.told_at },
        event: StoredEvent.parse(row.event),
      },
    ]),
  );
  return { pending: tracked.filter(({ event }) => matters.has(event.matter?.id ?? "")), matters };
}

/** Stores that a message tells of these matters, by the newest event of each. */
export async function markTold(
  tx: Connection,
  {
    channel,
    pending,
    incidentId,
    now,
  }: { channel: MessageChannel; pending: readonly PendingEvent[]; incidentId?: string; now: Date },
): Promise<void> {
  const newest = new Map(pending.map((each) => [each.event.matter?.id ?? "", each]));
  for (const [matterId, { event, routes }] of newest)
    await prismaOn(tx).notificationMatter.updateMany({
      where: { channel: channel.name, matterId },
      data: {
        ...{ event: toStorableValue(event), routes: [...routes], toldAt: now },
        ...(incidentId !== undefined && { incidentId }),
      },
    });
  await removePending(
    tx,
    channel.name,
    pending.map(({ event }) => event.id),
  );
}

const Names = z.array(z.string()).catch([]);

export function parseRoutes(routes: unknown): string[] {
  return Names.parse(routes);
}
