import type { RolloutObject } from "./rollout-object.ts";

/**
 * Whether the abort that is in force was asked for by a client, such as a person, rather than decided by the controller.
 * The controller names the cause behind its own aborts and gives none for one that it was asked for (argo-rollouts
 * rollout/sync.go calculateRolloutConditions, 1.10.2; the same in recorded streams of 1.10.2). False if that is not known.
 */
export function isAbortedByClient({ status }: RolloutObject): boolean {
  const progressing = status.conditions?.find(({ type }) => type === "Progressing");
  return (
    status.abort &&
    progressing?.reason === "RolloutAborted" &&
    /^Rollout aborted update to revision \d+$/.test(progressing.message)
  );
}
