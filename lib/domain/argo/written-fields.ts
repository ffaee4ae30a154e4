const goingOn = ["status.pauseConditions", "status.currentStepIndex", "status.controllerPause"];

/**
 * The fields that clients write to make a change, as kubectl argo rollouts does (pkg/kubectl-argo-rollouts/cmd of
 * v1.10.2).
 */
export const writtenFields: Readonly<Record<string, readonly string[]>> = {
  abort: ["status.abort"],
  retry: ["status.abort"],
  continue: goingOn,
  "accept-step": goingOn,
  "measure-again": goingOn,
  "continue-waive": goingOn,
  "skip-step": goingOn,
  "skip-all": goingOn,
  "promote-full": ["status.promoteFull"],
  pause: ["spec.paused"],
  unpause: ["spec.paused"],
  restart: ["spec.restartAt"],
  undo: ["spec.template"],
  terminate: ["spec.terminate"],
};
