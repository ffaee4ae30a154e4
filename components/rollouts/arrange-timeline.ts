import { classifyMoment, classifyPhaseText } from "#components/ui/classify-state.ts";
import type { StateKey } from "#components/ui/state-tokens.ts";
import type { TimelineEvent } from "#lib/contract/timeline.ts";

export type TimelineGroup = {
  /** Null for events before the first recorded release. */
  release: TimelineEvent["release"];
  days: { day: string; events: TimelineEvent[] }[];
};

/**
 * Groups events by release and by day, newest first. Within a second, acts of people and other clients come before
 * (below) those of the controller: the clocks of two machines do not give the order, and an act is a cause.
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

/** Two events of one kind keep the order of the list, which is the server's. */
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
  return kind === "action" || kind === "unasked" || kind === "approval";
}

/** Whether an event shows the time of the one above it: an offset under it would only repeat that one's. */
export function repeatsTime(events: readonly TimelineEvent[], index: number): boolean {
  const [above, event] = [events[index - 1], events[index]];
  return above !== undefined && event !== undefined && secondOf(above) === secondOf(event);
}

function secondOf({ at }: TimelineEvent): number {
  return Math.floor(Date.parse(at) / 1000);
}

/** Returns the state that an event reports; undefined for an intermediate step that is not a state. */
export function classifyEvent({
  kind,
  phase,
  text,
}: Pick<TimelineEvent, "kind" | "phase" | "text">): StateKey | undefined {
  switch (kind) {
    case "abort":
      return "failed";
    case "pause":
      if (text.endsWith(" is Inconclusive")) return "inconclusive";
      return /^(Waits|Waiting|Paused by a person)/.test(text) ? "waiting" : "timed";
    case "run": {
      // The event's phase is the rollout's; the last word of its text says how the run ended.
      const ended = / is (Successful|Failed|Error|Inconclusive)$/.exec(text)?.[1];
      return ended === undefined ? undefined : classifyPhaseText(ended).state;
    }
    case "phase":
      // Its pods may still be changing; the release is decided.
      if (text.startsWith("Promoted")) return "successful";
      return phase === null
        ? undefined
        : classifyMoment({ phase, holds: [text.slice(text.lastIndexOf(": ") + 2)] }).state;
    default:
      return undefined;
  }
}
