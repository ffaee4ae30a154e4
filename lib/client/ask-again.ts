import type { AllowedAction } from "#lib/contract/rollout.ts";

type Judged = Pick<AllowedAction, "clusterAccess" | "reasonCode">;

/**
 * Returns how soon to ask again about open points of an answer, in ms; false without open points. Neither point makes a
 * change event: the cluster may check the right to act there too slowly for the page, and a source that is heard again
 * only updates its time of contact.
 */
export function askAgainMs(actions: readonly Judged[] = [], { isFresh = true } = {}): number | false {
  if (actions.some(({ clusterAccess }) => clusterAccess === "unknown")) return 2_000;
  return !isFresh || actions.some(({ reasonCode }) => reasonCode === "source_stale") ? 5_000 : false;
}
