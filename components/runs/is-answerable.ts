import type { RolloutDetail } from "#lib/contract/rollout.ts";

type Rollout = Pick<RolloutDetail, "presence" | "attention" | "currentRuns" | "releaseRuns">;

/** Returns whether the rollout's next action answers this run: it is being measured now, or the rollout waits over it. */
export function isAnswerable(uid: string, { presence, attention, currentRuns, releaseRuns }: Rollout): boolean {
  if (presence !== "live") return false;
  const current = currentRuns.find((run) => run.uid === uid);
  if (current?.phase === "Running" || current?.phase === "Pending") return true;
  const decided = releaseRuns.some((run) => run.uid === uid && run.decided);
  return attention !== null && (decided || current !== undefined);
}
