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
    .flatMap((rule) => rule.find(facts).map((each): FoundByRule => ({ rule: rule.id, found: each })));
  return { found, lookAt: findNextLook(facts, found) };
}

const hourMs = 3_600_000;

function findNextLook({ now, limits, wait, observations }: RolloutFacts, found: readonly FoundByRule[]) {
  const last = observations.at(-1);
  const times = [
    ...(wait === undefined
      ? []
      : [limits.inconclusiveMinutes, limits.waitingMinutes].map(
          (minutes) => Date.parse(wait.since) + minutes * 60_000,
        )),
    ...(last?.state.isAborted === true ? [Date.parse(last.observedAt) + limits.trafficAfterAbortSeconds * 1000] : []),
    ...found
      .filter(({ found }) => found.over === undefined)
      .map(({ found }) => Date.parse(found.since) + limits.keepOpenHours * hourMs),
  ];
  const later = times.filter((time) => time > Date.parse(now));
  return later.length === 0 ? undefined : Math.min(...later);
}
