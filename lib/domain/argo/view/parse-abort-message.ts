/** `cause` is the controller's own; undefined if it was asked to abort. */
export type AbortMessage = { cause: string | undefined };

/**
 * What the controller says of an abort, as its condition has it or as the status shows it, which puts the reason first.
 * The one place that knows the rule: the controller names the cause behind its own aborts, and none behind one that it
 * was asked for: `Rollout aborted update to revision 2: Step-based analysis phase error/failed: ...` (argo-rollouts
 * 1.10.2,
 * rollout/sync.go calculateRolloutConditions; the same in recorded streams). Undefined for any other text.
 */
export function parseAbortMessage(message: string): AbortMessage | undefined {
  const aborted = /^(?:RolloutAborted: )?Rollout aborted update to revision \d+(?:: (?<cause>.+))?$/s.exec(message);
  return aborted === null ? undefined : { cause: aborted.groups?.cause };
}
