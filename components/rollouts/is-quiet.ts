import type { RolloutSummary } from "#lib/contract/rollout.ts";

/** Nothing is asked of anybody: the quietest row of the list. */
export function isQuiet({ phase, attention, findings }: RolloutSummary): boolean {
  return phase === "Healthy" && attention === null && findings.open === 0;
}
