import type { TimelineEvent } from "#lib/contract/timeline.ts";

export type TimelineGroup = {
  /** Null: what happened before the first release that was recorded. */
  release: TimelineEvent["release"];
  days: { day: string; events: TimelineEvent[] }[];
};

/**
 * Arranges events, newest first, by release and by day. Within a second, acts of people and other clients come before
 * (below) what the controller did: clocks of two machines cannot tell which came first, and an act is a cause.
 * `dayOf` formats the day in the visitor's zone.
 */
export function arrangeTimeline(events: readonly TimelineEvent[], dayOf: (ms: number) => string): TimelineGroup[] {
  const groups: TimelineGroup[] = [];
  for (const event of sortCauses(events)) {
    let group = groups.at(-1);
    if (group === undefined || group.release?.id !== event.release?.id) {
      group = { release: event.release, days: [] };
      groups.push(group);
    }
    const day = dayOf(Date.parse(event.at));
    const last = group.days.at(-1);
    if (last?.day === day) last.events.push(event);
    else group.days.push({ day, events: [event] });
  }
  return groups;
}

/** The order of the list decides between two events of one kind: it is that of the server. */
function sortCauses(events: readonly TimelineEvent[]): TimelineEvent[] {
  return events.toSorted((one, other) => {
    const releases = compareReleases(one, other);
    if (releases !== 0) return releases;
    const seconds = secondOf(other) - secondOf(one);
    return seconds === 0 ? Number(isAct(one)) - Number(isAct(other)) : seconds;
  });
}

/** A release is never split, even if an act of the same second belongs to the one before. */
function compareReleases({ release: one }: TimelineEvent, { release: other }: TimelineEvent): number {
  if (one?.id === other?.id) return 0;
  return (
    (other === null ? Number.NEGATIVE_INFINITY : Date.parse(other.startedAt)) -
    (one === null ? Number.NEGATIVE_INFINITY : Date.parse(one.startedAt))
  );
}

function isAct({ kind }: TimelineEvent): boolean {
  return kind === "action" || kind === "unasked";
}

function secondOf({ at }: TimelineEvent): number {
  return Math.floor(Date.parse(at) / 1000);
}
