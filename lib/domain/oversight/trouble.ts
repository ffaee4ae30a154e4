import type { Evidence, FindingSeverity } from "./rule.ts";

/** A problem that the rollout's provider reports at this moment. */
export type Trouble = {
  /** Stays the same for as long as the trouble lasts. */
  key: string;
  severity: FindingSeverity;
  title: string;
  /** ISO 8601; undefined if the object has no time for it. */
  since: string | undefined;
  evidence: Evidence[];
  /** What to do; undefined if the rule's own words suffice. */
  advice: string | undefined;
};
