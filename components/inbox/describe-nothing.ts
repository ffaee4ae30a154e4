import type { Freshness } from "#components/ui/use-freshness.ts";

/**
 * Words for an inbox without rows. That nothing waits is only claimed if every source is live; `isKnown` is false
 * otherwise.
 */
export function describeNothing({ words }: Pick<Freshness, "words">): {
  isKnown: boolean;
  title: string;
  hint: string;
} {
  if (words === "live" || words === "connecting")
    return {
      isKnown: true,
      title: "Nothing needs a decision",
      hint: "Rollouts in every cluster appear here when they pause for a decision, end Inconclusive or degrade.",
    };
  return {
    isKnown: false,
    title: "Nothing is known to need a decision",
    hint:
      words === "no sources yet"
        ? "Gatehouse has not begun to watch a cluster, so it cannot show its rollouts."
        : "Not every source is live: something may wait that is not shown here.",
  };
}
