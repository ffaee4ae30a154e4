import type { FindingSeverity } from "#lib/domain/oversight/rule.ts";
import type { Team } from "#lib/domain/policy/find-team.ts";
import { isInScope, type Scope } from "#lib/domain/policy/rights.ts";
import { isAtLeast, type NotifiableEvent, type NotifiableKind } from "./notifiable-event.ts";

/** One route of the config: which events go to which channels. */
export type NotificationRoute = {
  name: string;
  scope: Scope;
  events: readonly NotifiableKind[];
  minSeverity: FindingSeverity;
  /** Only the rollouts of this team. */
  team?: string | undefined;
  /** Names of channels; undefined: the channel of the team that owns the event's rollout. */
  to?: readonly string[] | undefined;
  quietHours?: QuietHours | undefined;
};

/** A channel that an event goes to, and the routes that lead there. */
export type RoutedTo = { channel: string; routes: string[] };

type Owner = Pick<Team, "name" | "channel">;

/** Returns the channels that an event goes to, each once, however many routes lead there. `owner`: of its rollout. */
export function routeEvent(event: NotifiableEvent, routes: readonly NotificationRoute[], owner?: Owner): RoutedTo[] {
  const byChannel = new Map<string, string[]>();
  for (const route of routes) {
    if (!matches(route, event, owner)) continue;
    for (const channel of channelsOf(route, owner === undefined ? [] : [owner])) {
      const names = byChannel.get(channel) ?? [];
      if (!names.includes(route.name)) byChannel.set(channel, [...names, route.name]);
    }
  }
  return [...byChannel].map(([channel, names]) => ({ channel, routes: names }));
}

/** Returns the channels that a route may lead to; without its own, those of the teams that it is for. */
export function channelsOf(
  { team, to }: Pick<NotificationRoute, "team" | "to">,
  teams: readonly Owner[],
): readonly string[] {
  return to ?? teams.flatMap(({ name, channel }) => (team === undefined || team === name ? (channel ?? []) : []));
}

function matches(
  { scope, events, minSeverity, team }: NotificationRoute,
  { kind, severity, target }: NotifiableEvent,
  owner: Owner | undefined,
): boolean {
  return (
    events.some((each) => each === kind) &&
    isAtLeast(severity, minSeverity) &&
    isInScope(scope, target) &&
    (team === undefined || team === owner?.name)
  );
}

/** Returns whether one of the routes that an event came by also leads to this kind. */
export function leadsTo(
  routes: readonly NotificationRoute[],
  cameBy: readonly string[],
  kind: NotifiableKind,
): boolean {
  return routes.some(({ name, events }) => cameBy.includes(name) && events.includes(kind));
}

/**
 * Returns whether an event has to wait: all the routes that it came by are quiet now. A route that the config no longer
 * has holds nothing back.
 */
export function isHeld({
  routes,
  cameBy,
  severity,
  now,
}: {
  routes: readonly NotificationRoute[];
  cameBy: readonly string[];
  severity: FindingSeverity;
  now: Date;
}): boolean {
  const named = routes.filter(({ name }) => cameBy.includes(name));
  return (
    named.length > 0 &&
    named.every(({ quietHours }) => quietHours !== undefined && isQuiet({ hours: quietHours, severity, now }))
  );
}

/** Daily, from `start` until just before `end`, by the wall clock of the zone; `end` may be on the next day. */
export type QuietHours = {
  /** `HH:MM`. */
  start: string;
  end: string;
  /** An IANA zone. */
  timeZone: string;
};

/** Returns whether an event of this severity is held back now. */
export function isQuiet({
  hours: { start, end, timeZone },
  severity,
  now,
}: {
  hours: QuietHours;
  severity: FindingSeverity;
  now: Date;
}): boolean {
  if (severity === "critical") return false;
  const [from, to, at] = [minutesOf(start), minutesOf(end), minutesOf(wallClock(now, timeZone))];
  return from <= to ? from <= at && at < to : at >= from || at < to;
}

function wallClock(now: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    now,
  );
}

function minutesOf(text: string): number {
  const [hours = "0", minutes = "0"] = text.split(":");
  return Number(hours) * 60 + Number(minutes);
}
