import type { AllowedAction } from "#lib/contract/rollout.ts";

type Judged = Pick<AllowedAction, "clusterAccess" | "reasonCode">;

/**
 * How soon to ask again what an answer leaves open, in ms; false if it leaves nothing open. Neither makes a change event:
 * the cluster says later than a page may wait whether somebody may act there, and a source that is heard again only
 * notes when.
 */
export function askAgainMs(actions: readonly Judged[] = [], { isFresh = true } = {}): number | false {
  if (actions.some(({ clusterAccess }) => clusterAccess === "unknown")) return 2_000;
  return !isFresh || actions.some(({ reasonCode }) => reasonCode === "source_stale") ? 5_000 : false;
}
