import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import { maxEvents, type PendingEvent } from "./compose-messages.ts";
import type { NotifiableEvent } from "./notifiable-event.ts";

/** Something that a pager shows as one thing until all of it is over. */
export type Incident = {
  id: string;
  groupKey: string;
  /** In milliseconds since 1970. */
  openedAt: number;
  /** How many matters it has, at most as many as a message has events. */
  size: number;
};

/** Events that open an incident or join an open one. */
type IncidentChange = { incident: Incident; isNew: boolean; pending: PendingEvent[] };

/** How long after it was opened an incident takes in others of its version and cause. */
export const incidentWindowMs = 300_000;
/** Incidents that a channel opens within the window for each version and cause; further ones are of a cause alone. */
const maxByVersion = 10;
/** Incidents that a channel opens within the window at most; further events wait. */
const maxOpened = 20;

export type Grouping = {
  channel: string;
  /** In the order in which they came; each has a matter. */
  pending: readonly PendingEvent[];
  open: readonly Incident[];
  /** The incidents of matters that are open already, by the matter's id. */
  incidentOf: ReadonlyMap<string, string>;
  /** How many incidents the channel opened within the window, those that are over included. */
  openedLately: number;
  now: number;
  /** How long the first event of an incident waits for others. */
  windowMs: number;
};

/**
 * Decides which incidents the due events open or join. A change of an open matter stays in its incident. Others join the
 * open incident of the same version and cause, or of the same cause alone, if that was opened within the window. Each
 * event is in one change, or stays pending.
 */
export function groupIncidents(grouping: Grouping): IncidentChange[] {
  const { channel, pending, open, incidentOf, now, windowMs } = grouping;
  const changes = new Map<string, IncidentChange>();
  const take = (incident: Incident, isNew: boolean, taken: readonly PendingEvent[]): void => {
    const change = changes.get(incident.id) ?? { incident, isNew, pending: [] };
    change.pending.push(...taken);
    changes.set(incident.id, change);
  };
  const recent = open.filter(({ openedAt }) => openedAt > now - incidentWindowMs);
  const byId = new Map(open.map((incident) => [incident.id, incident]));
  const findRoom = (...keys: string[]): Incident | undefined =>
    recent.find(({ groupKey, size }) => keys.includes(groupKey) && size < maxEvents);
  let opened = grouping.openedLately;

  const groups = Map.groupBy(
    pending.filter(({ isHeld }) => !isHeld),
    ({ event }) => incidentOf.get(event.matter?.id ?? "") ?? keyOf(event),
  );
  for (const [key, group] of groups) {
    const [first] = group;
    if (first === undefined || Math.min(...group.map(({ since }) => since)) + windowMs > now) continue;
    const known = byId.get(key);
    if (known !== undefined) {
      take(known, false, group);
      continue;
    }
    const causeKey = causeKeyOf(first.event);
    for (let rest = group; rest[0] !== undefined; ) {
      let incident = findRoom(key, causeKey);
      const isNew = incident === undefined;
      if (incident === undefined) {
        if (opened >= maxOpened) break;
        const groupKey = opened < maxByVersion ? key : causeKey;
        incident = { id: stableUuid("incident", channel, rest[0].event.id), groupKey, openedAt: now, size: 0 };
        opened += 1;
        recent.push(incident);
      }
      const taken = rest.slice(0, maxEvents - incident.size);
      incident.size += taken.length;
      take(incident, isNew, taken);
      rest = rest.slice(taken.length);
    }
  }
  return [...changes.values()];
}

/** The same for rollouts of one version with one cause. What has no version stays apart. */
function keyOf({ matter, target, id }: NotifiableEvent): string {
  if (matter === undefined) return id;
  const { cluster, namespace, kind, name } = target;
  return JSON.stringify([matter.cause, matter.version ?? [cluster, namespace, kind, name]]);
}

function causeKeyOf({ matter, id }: NotifiableEvent): string {
  return JSON.stringify([matter?.cause ?? id]);
}
