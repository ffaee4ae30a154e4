import type { ObservedVerdict } from "#lib/domain/policy/observe-policies.ts";

/** What a rule with `mode: observe` would have decided about an action, as the audit entry of the action has it. */
export type ObservedRule = {
  /** Its name; of a rule about reasons, its place in the config. */
  rule: string;
  kind: string;
  would: ObservedVerdict;
};

const words: Readonly<Record<ObservedVerdict, string>> = {
  refuse: "would have refused this",
  "require a reason": "would have required a reason",
  "require a ticket": "would have required a ticket in the reason",
  "require a second person": "would have required a second person",
  "require more approvals": "would have required more approvals",
};

/** Reads `detail.observed` of an entry; leaves out what is not of its form. */
export function readObserved(observed: unknown): ObservedRule[] {
  if (!Array.isArray(observed)) return [];
  return observed.flatMap((each: unknown) => {
    if (typeof each !== "object" || each === null) return [];
    const { rule, kind, would } = each as Record<string, unknown>;
    return typeof rule === "string" && typeof kind === "string" && isVerdict(would) ? [{ rule, kind, would }] : [];
  });
}

function isVerdict(value: unknown): value is ObservedVerdict {
  return typeof value === "string" && Object.hasOwn(words, value);
}

/** Formats it as a sentence: `Observed rule "weekend" would have refused this.` */
export function formatObserved({ rule, would }: Pick<ObservedRule, "rule" | "would">): string {
  return `Observed rule "${rule}" ${words[would]}.`;
}
