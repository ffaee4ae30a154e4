import type { RolloutFacts } from "./rollout-facts.ts";
import { rolloutRules } from "./rollout-rules.ts";
import type { Found } from "./rule.ts";

/** Raise it if a rule changes what it finds: all rollouts are then looked at again. */
export const rulesVersion = 1;

export type FoundByRule = { rule: string; found: Found };

export type Evaluation = {
  found: FoundByRule[];
  /** When time alone may change the result, in milliseconds since 1970; undefined if it never does. */
  lookAt: number | undefined;
};

/** Applies every rule that is not turned off. */
export function evaluateRollout(facts: RolloutFacts, off: readonly string[]): Evaluation {
  const found = rolloutRules
    .filter(({ id }) => !off.includes(id))
    .flatMap((rule) => rule.find(facts).map((each): FoundByRule => ({ rule: rule.id, found: endWith(facts, each) })));
  return { found, lookAt: findNextLook(facts, found) };
}

/** Nothing about a rollout that was deleted asks for anybody. */
function endWith({ observations }: RolloutFacts, found: Found): Found {
  const last = observations.at(-1);
  if (last?.state.isDeleted !== true || found.over !== undefined) return found;
  return { ...found, over: { at: last.observedAt, why: "The rollout was deleted." } };
}

const hourMs = 3_600_000;

function findNextLook({ now, limits, wait, observations, holds }: RolloutFacts, found: readonly FoundByRule[]) {
  const last = observations.at(-1);
  const times = [
    ...(wait === undefined
      ? []
      : [limits.inconclusiveMinutes, limits.waitingMinutes].map(
          (minutes) => Date.parse(wait.since) + minutes * 60_000,
        )),
    ...(last?.state.isAborted === true ? [Date.parse(last.observedAt) + limits.trafficAfterAbortSeconds * 1000] : []),
    // What is open past its age may have begun to count later: it is looked at again.
    ...found
      .filter(({ found }) => found.over === undefined)
      .map(({ found }) => Math.max(Date.parse(found.since) + limits.keepOpenHours * hourMs, Date.parse(now) + hourMs)),
    ...holds.filter(({ outcome }) => outcome === null).map((hold) => Date.parse(hold.at) + 61_000),
  ];
  const later = times.filter((time) => time > Date.parse(now));
  return later.length === 0 ? undefined : Math.min(...later);
}
