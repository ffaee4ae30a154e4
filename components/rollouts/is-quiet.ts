import type { RolloutSummary } from "#lib/contract/rollout.ts";

/** Returns whether a rollout is healthy and needs no attention: the quietest row of the list. */
export function isQuiet({ phase, attention, findings }: RolloutSummary): boolean {
  return phase === "Healthy" && attention === null && findings.open === 0;
}
