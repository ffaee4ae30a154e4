import type { MessageKind } from "#lib/domain/flagger/events/flagger-message.ts";
import type { RunMessage } from "./run-message.ts";

/** Where to look for the messages of a run. Times are milliseconds since 1970. */
export type RunPlace = {
  /** Start of the analysis by Flagger's clock, including all runs that followed each other without a rest. */
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
  /** When Flagger announced the beginning; undefined if that message was lost. */
  begunAt: string | undefined;
  /** When Flagger announced the end; undefined if that message was lost or has not come yet. */
  endedAt: string | undefined;
};

const beginnings: readonly MessageKind[] = ["run-started", "run-restarted"];
const ends: readonly MessageKind[] = ["run-succeeded", "run-failed-rolled-back", "promotion-failed"];

/** Events and conditions have whole seconds, and a message may come just before the status. */
const slackMs = 2_000;
/** How far the two clocks, and the times of a message and of its status, are expected to differ at most. */
const clocksMs = 60_000;

/**
 * Cuts the messages of one run out of those around it: from Flagger's announcement of its beginning until that of its
 * end or of another beginning. If these are lost, times must do. Takes merged messages; see `mergeMessages`.
 */
export function cutRun(messages: readonly RunMessage[], place: RunPlace): CutRun {
  const ordered = messages.toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
  const begin = findBegin(ordered, place);
  const from = begin === -1 ? findFirst(ordered, place) : begin;
  const latest = place.endSeenAt === undefined ? Number.POSITIVE_INFINITY : place.endSeenAt + clocksMs;
  const own: RunMessage[] = [];
  let endedAt: string | undefined;
  for (const [index, each] of ordered.slice(from).entries()) {
    const at = Date.parse(each.at);
    if (beginnings.includes(each.message.kind) && (index > 0 || begin === -1)) break;
    // Events have whole seconds: a message from just before the end may have a later time.
    if (at > latest || (endedAt !== undefined && at >= Date.parse(endedAt) + 1000)) break;
    own.push(each);
    if (ends.includes(each.message.kind)) endedAt ??= each.at;
  }
  return { messages: own, begunAt: ordered[begin]?.at, endedAt };
}

/** Finds the beginning nearest to the first version of the run that was seen; -1 without one. */
function findBegin(ordered: readonly RunMessage[], { since, seenAt }: RunPlace): number {
  const earliest = since === undefined ? seenAt - clocksMs : since - slackMs;
  let best = -1;
  let bestMs = Number.POSITIVE_INFINITY;
  for (const [index, { at, message }] of ordered.entries()) {
    const ms = Date.parse(at);
    if (!beginnings.includes(message.kind) || ms < earliest || ms > seenAt + clocksMs) continue;
    const distance = Math.abs(seenAt - ms);
    if (distance >= bestMs) continue;
    best = index;
    bestMs = distance;
  }
  return best;
}

function findFirst(ordered: readonly RunMessage[], { since, seenAt, isRestart }: RunPlace): number {
  const begin = isRestart || since === undefined ? seenAt : since;
  const found = ordered.findIndex(({ at }) => Date.parse(at) >= begin - slackMs);
  return found === -1 ? ordered.length : found;
}
