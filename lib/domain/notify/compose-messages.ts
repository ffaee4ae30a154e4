import { stableUuid } from "#lib/domain/delivery/rollout-id.ts";
import type { FindingSeverity } from "#lib/domain/oversight/rule.ts";
import { highestOf, type NotifiableEvent, rankOf } from "./notifiable-event.ts";

/** An event that is still to be sent to one channel. */
export type PendingEvent = {
  event: NotifiableEvent;
  routes: readonly string[];
  /** Since when it waits, in milliseconds since 1970. */
  since: number;
  isHeld: boolean;
};

/** A message to be sent. Its id is derived from its channel and its events: making it twice gives the same message. */
export type Message = {
  id: string;
  /**
   * One event, several events of one rollout, several of many, or a test. To channels with incidents: opened or changed,
   * acknowledged, over, or still open.
   */
  shape: "single" | "group" | "digest" | "test" | "trigger" | "acknowledge" | "resolve" | "refresh";
  severity: FindingSeverity;
  title: string;
  routes: string[];
  events: NotifiableEvent[];
  /** The incident that it is about; in PagerDuty its dedup key. */
  incidentId?: string | null | undefined;
};

/** The most events of one message; the others follow in the next one. */
export const maxEvents = 200;

/**
 * Returns the messages that are due on one channel. Events of the same object become one message once the oldest has
 * waited for the window. If the rate limit allows fewer messages than needed, the most severe are sent alone and the
 * last one is a digest of all others. If it allows none, everything waits. Invariant: each event is in one message, or
 * still pending.
 */
export function composeMessages({
  channel,
  pending,
  now,
  windowMs,
  slots,
}: {
  channel: string;
  /** In the order in which they came. */
  pending: readonly PendingEvent[];
  now: number;
  windowMs: number;
  /** How many messages the rate limit leaves. */
  slots: number;
}): Message[] {
  const groups = groupByTarget(pending.filter(({ isHeld }) => !isHeld)).filter(
    (group) => Math.min(...group.map(({ since }) => since)) + windowMs <= now,
  );
  if (slots <= 0 || groups.length === 0) return [];
  if (groups.length <= slots) return groups.map((group) => messageOf({ channel, pending: group }));
  const sorted = groups.toSorted((one, other) => rankOf(severityOf(other)) - rankOf(severityOf(one)));
  const alone = sorted.slice(0, slots - 1);
  const rest = sorted.slice(slots - 1).flat();
  return [...alone.map((group) => messageOf({ channel, pending: group })), messageOf({ channel, pending: rest })];
}

/** Returns how many messages a channel may still get: none while as many as a minute allows are not sent yet. */
export function countSlots({
  perMinute,
  madeLastMinute,
  unsent,
}: {
  perMinute: number;
  madeLastMinute: number;
  unsent: number;
}): number {
  return Math.max(0, perMinute - Math.max(madeLastMinute, unsent));
}

function groupByTarget(pending: readonly PendingEvent[]): PendingEvent[][] {
  return [...Map.groupBy(pending, ({ event }) => keyOf(event)).values()];
}

function keyOf({ target: { cluster, namespace, kind, name }, id }: NotifiableEvent): string {
  // Events without a name may be about different things.
  return name === "" ? id : JSON.stringify([cluster, namespace, kind, name]);
}

function severityOf(group: readonly PendingEvent[]): FindingSeverity {
  return highestOf(group.map(({ event }) => event.severity));
}

function messageOf({ channel, pending }: { channel: string; pending: readonly PendingEvent[] }): Message {
  const taken = pending.slice(0, maxEvents);
  const events = taken.map(({ event }) => event);
  return {
    id: stableUuid("message", channel, ...events.map(({ id }) => id)),
    shape: events.length === 1 ? "single" : isOneObject(events) ? "group" : "digest",
    severity: highestOf(events.map(({ severity }) => severity)),
    title: titleOf(events),
    routes: [...new Set(taken.flatMap(({ routes }) => routes))],
    events,
  };
}

/** Names an object as lists do: `shop/web`, or the cluster if it has no namespace. */
export function nameTarget({ target: { cluster, namespace, name } }: Pick<NotifiableEvent, "target">): string {
  const parts = [namespace, name].filter((part) => part !== "");
  return parts.length === 0 ? cluster : parts.join("/");
}

function isOneObject(events: readonly NotifiableEvent[]): boolean {
  return new Set(events.map(keyOf)).size === 1;
}

/** Names the most severe event, and how many more there are; empty without any. */
export function titleOf(events: readonly NotifiableEvent[]): string {
  const [first] = bySeverity(events);
  if (first === undefined) return "";
  if (events.length === 1) return `${nameTarget(first)}: ${first.title}`;
  const more = `${events.length - 1} more`;
  return `${nameTarget(first)}: ${first.title}${isOneObject(events) ? ` and ${more}` : `; ${more} elsewhere`}`;
}

/** Returns the most severe first; equally severe ones stay in their order. */
export function bySeverity(events: readonly NotifiableEvent[]): NotifiableEvent[] {
  return events.toSorted((one, other) => rankOf(other.severity) - rankOf(one.severity));
}
