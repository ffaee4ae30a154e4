import type { Found, Rule } from "./rule.ts";

export type FoundByRule = { rule: string; found: Found };

/** Applies every rule that is not turned off. */
export function applyRules<Facts>(rules: readonly Rule<Facts>[], facts: Facts, off: readonly string[]): FoundByRule[] {
  return rules
    .filter(({ id }) => !off.includes(id))
    .flatMap((rule) => rule.find(facts).map((found) => ({ rule: rule.id, found })));
}
