import type { RolloutFacts } from "./rollout-facts.ts";
import type { Found } from "./rule.ts";

const hourMs = 3_600_000;
/** A week: the next release of most teams, and time to acknowledge before. */
const keepOpenHours = 168;
export const keepOpenMs = keepOpenHours * hourMs;

/**
 * Returns when a finding about something that happened to a version is over: the version was aborted, another one is
 * wanted, or it happened long ago. Undefined while it still matters.
 */
export function findEndOfConcern(
  { observations, now }: Pick<RolloutFacts, "observations" | "now">,
  { runKey, since }: { runKey: string; since: string },
): Found["over"] {
  const from = Date.parse(since);
  const before = observations.findLast(({ observedAt }) => Date.parse(observedAt) < from);
  // Two clocks tell the order of an abort and of the end of a run: it may have been aborted just before.
  if (before?.state.isAborted === true && before.state.runKey === runKey)
    return { at: since, why: "The release was aborted." };
  const later = observations.filter(({ observedAt }) => Date.parse(observedAt) >= from);
  for (const { observedAt, state } of later) {
    if (state.isDeleted) return { at: observedAt, why: "The rollout was deleted." };
    if (state.runKey === "") continue;
    if (state.runKey !== runKey) return { at: observedAt, why: "Another version replaced it." };
    if (state.isAborted) return { at: observedAt, why: "The release was aborted." };
  }
  return findEndByAge({ now }, since);
}

/** Returns when something that happened once is too old to be shown as open. */
export function findEndByAge({ now }: Pick<RolloutFacts, "now">, since: string): Found["over"] {
  const end = Date.parse(since) + keepOpenMs;
  if (Date.parse(now) < end) return undefined;
  return { at: new Date(end).toISOString(), why: `It happened more than ${keepOpenHours} hours ago.` };
}

/** Formats `revision 4`, or the key of a version that has no number. */
export function nameVersion(runKey: string, { releases }: Pick<RolloutFacts, "releases">): string {
  const revision = releases.findLast((release) => release.runKey === runKey)?.revision ?? null;
  return revision === null ? `version ${runKey}` : `revision ${revision}`;
}
