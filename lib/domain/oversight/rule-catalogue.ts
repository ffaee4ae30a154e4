import { clusterRules } from "./cluster-rules.ts";
import { controllerRules } from "./controllers/controller-rules.ts";
import { rolloutRules } from "./rollout-rules.ts";
import type { Rule } from "./rule.ts";
import { sourceRules } from "./source-rules.ts";

/** The description of a rule, without its `find` function. */
export type RuleWords = Omit<Rule<never>, "find">;

/** Every rule, for lists, the documentation and the config. */
export const ruleCatalogue: readonly RuleWords[] = [
  ...rolloutRules,
  ...clusterRules,
  ...sourceRules,
  ...controllerRules,
];

/** Returns the description of a rule; undefined for one that this version does not have. */
export function findRule(id: string): RuleWords | undefined {
  return ruleCatalogue.find((rule) => rule.id === id);
}
