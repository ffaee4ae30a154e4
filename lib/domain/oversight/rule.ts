/** From least to most severe. */
export const findingSeverities = ["info", "warning", "critical"] as const;
export type FindingSeverity = (typeof findingSeverities)[number];

/** The page that a piece of evidence links to. */
export type EvidenceLink =
  | { to: "run"; uid: string }
  | { to: "experiment"; uid: string }
  | { to: "audit"; seq: string }
  | { to: "source"; id: string }
  | { to: "controller"; id: string };

/** One fact that a finding rests on. Texts are redacted before they are stored. */
export type Evidence = {
  /** Such as "Background analysis". */
  label: string;
  value: string;
  /** ISO 8601; when it was so. */
  at?: string;
  link?: EvidenceLink;
};

/** One case that a rule found about its subject. */
export type Found = {
  /**
   * Distinguishes the cases that the rule finds about one subject. Invariant: the same case has the same key at each
   * evaluation, so that it is one finding.
   */
  key: string;
  severity: FindingSeverity;
  /** One sentence without the subject's name and without a full stop. */
  title: string;
  /** ISO 8601; since when it is so. */
  since: string;
  evidence: Evidence[];
  /** What to do, if this case needs other words than the rule's. */
  advice?: string;
  /** The version that it is about; see `DeliveryState.runKey`. */
  runKey?: string;
  /** The analysis run that it is about. */
  runUid?: string;
  /**
   * Set if it is over although the evidence remains, for example because the version was replaced. `at` is in ISO 8601.
   */
  over?: { at: string; why: string };
};

/** The kind of subject that a rule is about. */
export type RuleSubject = "rollout" | "cluster" | "source" | "controller";

/**
 * A rule of oversight: facts about one subject in, findings out. Pure. An open finding that the rule no longer finds is
 * closed. Its words are the documentation (docs/findings.md is generated from them).
 */
export type Rule<Facts> = {
  /** Lower-case words with dashes; never changes its meaning. */
  id: string;
  about: RuleSubject;
  /** The most severe that it finds. */
  severity: FindingSeverity;
  /** Its name in lists, such as "Inconclusive analysis ignored". */
  name: string;
  /** Its words beside a rollout in the inbox, which few columns hold: a critical rule about rollouts has them. */
  badge?: string;
  /** The problem that it detects, and why that matters. */
  explanation: string;
  /** What to do. */
  advice: string;
  find(facts: Facts): Found[];
};

export type FoundByRule = { rule: string; found: Found };

/** Applies every rule that is not turned off. */
export function applyRules<Facts>(rules: readonly Rule<Facts>[], facts: Facts, off: readonly string[]): FoundByRule[] {
  return rules
    .filter(({ id }) => !off.includes(id))
    .flatMap((rule) => rule.find(facts).map((found) => ({ rule: rule.id, found })));
}
