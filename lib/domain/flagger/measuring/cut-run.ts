import type { MessageKind } from "#lib/domain/flagger/events/flagger-message.ts";
import type { RunMessage } from "./run-message.ts";

/** Where to look for the messages of a run. Times are milliseconds since 1970. */
export type RunPlace = {
  /** Since when the analysis has lasted by Flagger's clock, with all runs that followed each other without a rest. */
  since: number | undefined;
  /** When the run was first seen, by our clock. */
  seenAt: number;
  /** Whether it took the place of another run. */
  isRestart: boolean;
  /** When its end was seen, by our clock; undefined while it lasts. */
  endSeenAt: number | undefined;
};

export type CutRun = {
  /** In order. */
  messages: RunMessage[];
  /** When Flagger said that it begins; undefined if that was lost. */
  begunAt: string | undefined;
  /** When Flagger said that it has ended; undefined if that was lost, or not said yet. */
  endedAt: string | undefined;
};

const beginnings: readonly MessageKind[] = ["run-started", "run-restarted"];
const ends: readonly MessageKind[] = ["run-succeeded", "run-failed-rolled-back", "promotion-failed"];

/** Events and conditions have whole seconds, and a message may come just before the status. */
const slackMs = 2_000;
/** How far the two clocks, and the times of a message and of its status, are expected to differ at most. */
const clocksMs = 60_000;

/**
 * Cuts the messages of one run out of those around it: from where Flagger says that it begins until it says that it
 * ends, or that another begins. If that is lost, times must do. Takes messages in any order.
 */
export function cutRun(messages: readonly RunMessage[], place: RunPlace): CutRun {
  const ordered = messages.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const begin = findBegin(ordered, place);
  const from = begin === -1 ? findFirst(ordered, place) : begin;
  const latest = place.endSeenAt === undefined ? Number.POSITIVE_INFINITY : place.endSeenAt + clocksMs;
  const own: RunMessage[] = [];
  let endedAt: string | undefined;
  for (const [index, each] of ordered.slice(from).entries()) {
    const isOther = beginnings.includes(each.message.kind) && (index > 0 || begin === -1);
    // Both sources tell of the beginning.
    if (isOther && !isSameText(own[0], each)) break;
    if (Date.parse(each.at) > latest) break;
    own.push(each);
    if (!ends.includes(each.message.kind)) continue;
    endedAt = each.at;
    break;
  }
  return { messages: own, begunAt: ordered[begin]?.at, endedAt };
}

/** Finds the beginning that is nearest to when the run was first seen; -1 if there is none. */
function findBegin(ordered: readonly RunMessage[], { since, seenAt }: RunPlace): number {
  const earliest = since === undefined ? seenAt - clocksMs : since - slackMs;
  let best = -1;
  let bestMs = Number.POSITIVE_INFINITY;
  for (const [index, { at, message }] of ordered.entries()) {
    const ms = Date.parse(at);
    if (!beginnings.includes(message.kind) || ms < earliest || ms > seenAt + clocksMs) continue;
    const distance = Math.abs(seenAt - ms);
    // Told twice: the first of the two, so that neither counts for the run before.
    if (distance >= bestMs || (best !== -1 && isSameText(ordered[best], ordered[index]))) continue;
    best = index;
    bestMs = distance;
  }
  return best;
}

function isSameText(one: RunMessage | undefined, other: RunMessage | undefined): boolean {
  if (one === undefined || other === undefined || one.message.text !== other.message.text) return false;
  return Math.abs(Date.parse(one.at) - Date.parse(other.at)) < slackMs;
}

function findFirst(ordered: readonly RunMessage[], { since, seenAt, isRestart }: RunPlace): number {
  const begin = isRestart || since === undefined ? seenAt : since;
  const found = ordered.findIndex(({ at }) => Date.parse(at) >= begin - slackMs);
  return found === -1 ? ordered.length : found;
}
