import type { EffectAssessment, RunState } from "#lib/domain/acting/effect.ts";
import type { ExpectedEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { isCompleted } from "#lib/domain/delivery/run-phase.ts";

/**
 * Judges from the terminated or retried object whether the controller has acted. We write `spec.terminate`, or clear
 * the whole status: a phase after that is the controller's.
 */
export function assessRunEffect({ expected, run }: { expected: ExpectedEffect; run: RunState }): EffectAssessment {
  if (expected.target !== undefined && run.uid !== expected.target.uid)
    return { state: "not-effective", message: "It was deleted and created again before it took effect." };
  if (expected.kind === "ended")
    return isCompleted(run.phase)
      ? { state: "effective", message: `It ended as ${run.phase}.` }
      : { state: "pending", message: "The controller has not ended it yet." };
  const isNew = isCompleted(run.phase) ? run.endedAt !== expected.endedAt : run.phase !== "";
  return isNew
    ? { state: "effective", message: "It has started again." }
    : { state: "pending", message: "The controller has not started it again yet." };
}
