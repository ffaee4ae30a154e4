import { currentStep, isFullyPromoted } from "#sandbox/controllers/canary-steps.ts";
import { findPause } from "#sandbox/controllers/pause-state.ts";
import type { Rollout } from "#sandbox/controllers/rollout-types.ts";
import { computePodTemplateHash } from "#sandbox/controllers/template-hash.ts";
import type { Moment } from "./scenario-types.ts";

/** Returns true if the controller has seen the newest spec and the Rollout matches the moment. */
export function isMoment(rollout: Rollout, moment: Moment): boolean {
  const { status, spec, metadata } = rollout;
  const isObserved =
    status.observedGeneration === String(metadata.generation ?? 0) &&
    status.currentPodHash === computePodTemplateHash(spec.template);
  if (!isObserved) {
    return false;
  }
  switch (moment) {
    case "healthy":
      return status.phase === "Healthy" && isFullyPromoted(rollout);
    case "aborted":
      return status.abort === true && status.phase === "Degraded";
    case "inconclusive-step":
      return (
        status.canary?.currentStepAnalysisRunStatus?.status === "Inconclusive" &&
        findPause(status, "InconclusiveAnalysisRun") !== undefined
      );
    case "at-manual-pause": {
      const { step } = currentStep(rollout);
      const isManual = step?.pause !== undefined && step.pause.duration === undefined;
      return isManual && findPause(status, "CanaryPauseStep") !== undefined;
    }
    case "progressing":
      return status.phase !== "Healthy" && !isFullyPromoted(rollout) && (status.currentStepIndex ?? 0) > 0;
  }
}
