import type { Evidence, FindingSeverity } from "./rule.ts";

/** What the rollout's provider says is wrong at this moment. */
export type Trouble = {
  /** Stays the same for as long as the trouble lasts. */
  key: string;
  severity: FindingSeverity;
  title: string;
  /** ISO 8601; undefined if the object does not say. */
  since: string | undefined;
  evidence: Evidence[];
  /** What to do; undefined if the rule's own words suffice. */
  advice: string | undefined;
};
