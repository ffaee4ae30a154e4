import { keepOpenMs } from "./end-of-concern.ts";
import type { RolloutFacts } from "./rollout-facts.ts";
import { rolloutRules } from "./rollout-rules.ts";
import { applyRules, type Found, type FoundByRule } from "./rule.ts";
import { answerMs } from "./rules/held.ts";
import { trafficAfterAbortMs } from "./rules/waits-and-traffic.ts";

/** Raise it if a rule's findings change: all rollouts are then evaluated again. */
const version = 2;

/** Identifies the rules in force: differs if a rule is new. */
export const rulesVersion = `${version} ${rolloutRules.map(({ id }) => id).join(" ")}`;

export type Evaluation = {
  found: FoundByRule[];
  /** When time alone may change the result, in milliseconds since 1970; undefined if it never does. */
  lookAt: number | undefined;
};

/** Applies every rule that is not turned off. */
export function evaluateRollout(facts: RolloutFacts, off: readonly string[]): Evaluation {
  const found = applyRules(rolloutRules, facts, off).map((each) => ({ ...each, found: endWith(facts, each.found) }));
  return { found, lookAt: findNextLook(facts, found) };
}

/** How many of the newest releases may have open findings. Older ones are looked at only once. */
export const openReleases = 3;

/** The reason for closing a finding about an older one. */
export const outlived = "Several releases came after it.";

/** Closes a finding whose rollout was deleted, or which is about an old release. */
function endWith({ observations, releases }: RolloutFacts, found: Found): Found {
  if (found.over !== undefined) return found;
  const last = observations.at(-1);
  if (last?.state.isDeleted === true)
    return { ...found, over: { at: last.observedAt, why: "The rollout was deleted." } };
  const oldest = releases.at(-openReleases);
  if (oldest === undefined || Date.parse(found.since) >= Date.parse(oldest.startedAt)) return found;
  return { ...found, over: { at: oldest.startedAt, why: outlived } };
}

const hourMs = 3_600_000;

/** The recorder reads the route again within this time. */
const routeMs = 30_000;

function findNextLook(facts: RolloutFacts, found: readonly FoundByRule[]) {
  const { now, limits, wait, observations, holds, weight, weightAt } = facts;
  const last = observations.at(-1);
  const times = [
    ...(wait === undefined
      ? []
      : [limits.inconclusiveMinutes, limits.waitingMinutes].map(
          (minutes) => Date.parse(wait.since) + minutes * 60_000,
        )),
    ...(last?.state.isAborted === true ? [Date.parse(last.observedAt) + trafficAfterAbortMs] : []),
    ...(last?.state.isAborted === true && weightAt !== null && weight !== 0 ? [Date.parse(weightAt) + routeMs] : []),
    // An open finding past its age is looked at again: its age may count from a later time.
    ...found
      .filter(({ found }) => found.over === undefined)
      .map(({ found }) => Math.max(Date.parse(found.since) + keepOpenMs, Date.parse(now) + hourMs)),
    ...holds.filter(({ outcome }) => outcome === null).map((hold) => Date.parse(hold.at) + answerMs + 1000),
  ];
  const later = times.filter((time) => time > Date.parse(now));
  return later.length === 0 ? undefined : Math.min(...later);
}
