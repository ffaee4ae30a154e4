import { classifyMoment, classifyPhaseText } from "#components/ui/classify-state.ts";
import type { StateKey } from "#components/ui/state-tokens.ts";
import { countClockSeconds } from "#lib/client/format-duration.ts";
import type { TimelineEvent } from "#lib/contract/timeline.ts";
import { parseDurationMs } from "#lib/util/duration.ts";

export type TimelineGroup = {
  /** Null for events before the first recorded release. */
  release: TimelineEvent["release"];
  days: { day: string; events: TimelineEvent[] }[];
};

/** Returns when a release was promoted or aborted; undefined if that event is not among the given ones. */
export function findEnd({ release, days }: TimelineGroup): string | undefined {
  const isEnd = ({ kind, text }: TimelineEvent) =>
    release?.state === "promoted" ? kind === "phase" && text.startsWith("Promoted: ") : kind === "abort";
  if (release?.state !== "promoted" && release?.state !== "aborted") return undefined;
  return days.flatMap(({ events }) => events).find(isEnd)?.at;
}

/**
 * Groups events by release and by day, newest first. Within a second, acts of people and other clients come before
 * (below) those of the controller: the clocks of two machines do not give the order, and an act is a cause.
 * `dayOf` formats the day in the visitor's zone.
 */
export function arrangeTimeline(events: readonly TimelineEvent[], dayOf: (ms: number) => string): TimelineGroup[] {
  const groups: TimelineGroup[] = [];
  for (const event of joinTimedPauses(sortCauses(events))) {
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

/**
 * Joins a timed pause that ended by itself ("Pauses at step 2 of 6: wait 3 s", "Resumed", "Step 2 of 6 completed: wait
 * 3 s") to one event. A pause that seems shorter or longer, or that an act or another pause interrupted, keeps all its
 * events.
 */
function joinTimedPauses(events: readonly TimelineEvent[]): TimelineEvent[] {
  const joined = new Map<TimelineEvent, string>();
  const left = new Set<TimelineEvent>();
  for (const [index, step] of events.entries()) {
    const [, place, length] = /^Step (\d+ of \d+) completed: wait (.+)$/.exec(step.text) ?? [];
    if (place === undefined || length === undefined) continue;
    const [resumed, pause] = events.slice(index + 1, index + 1 + nearbyEvents).filter(({ kind }) => kind !== "run");
    if (resumed?.text !== "Resumed" || pause?.text !== `Pauses at step ${place}: wait ${length}`) continue;
    if (resumed.release?.id !== step.release?.id || pause.release?.id !== step.release?.id) continue;
    if (!isOnTime(length, countClockSeconds(pause.at, resumed.at))) continue;
    joined.set(step, `Step ${place}: waited ${length}`);
    for (const each of [resumed, pause]) left.add(each);
  }
  return events.flatMap((event) => {
    if (left.has(event)) return [];
    const text = joined.get(event);
    return text === undefined ? [event] : [{ ...event, text }];
  });
}

/** A long pause may have analyses begin and end in it. */
const nearbyEvents = 12;

/**
 * Clocks are written in whole seconds: a pause of 3 s may seem to last 2 s or 4 s. How long any other one lasted is not
 * known: an event has the time at which it was observed, which may be late.
 */
function isOnTime(length: string, seconds: number): boolean {
  const plannedMs = parseDurationMs(length.replaceAll(" min", "m").replaceAll(" ", ""));
  return plannedMs !== undefined && Math.abs(seconds - plannedMs / 1000) <= 1;
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
      const ended = / ended (Successful|Failed|Error|Inconclusive)$/.exec(text)?.[1];
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
