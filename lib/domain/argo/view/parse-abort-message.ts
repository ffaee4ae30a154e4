/** `cause` is the controller's own; undefined if it was asked to abort. */
export type AbortMessage = { cause: string | undefined };

/**
 * Parses the controller's message about an abort, as in its condition or as in the status, which puts the reason first.
 * Only this function knows the rule: the controller adds the cause of its own aborts, and none for a requested one:
 * `Rollout aborted update to revision 2: Step-based analysis phase error/failed: ...` (argo-rollouts 1.10.2,
 * rollout/sync.go calculateRolloutConditions; the same in recorded streams). Undefined for any other text.
 */
export function parseAbortMessage(message: string): AbortMessage | undefined {
  const aborted = /^(?:RolloutAborted: )?Rollout aborted update to revision \d+(?:: (?<cause>.+))?$/s.exec(message);
  return aborted === null ? undefined : { cause: aborted.groups?.cause };
}
