import type { RolloutObject, RolloutRunStatus } from "#lib/domain/argo/objects/rollout-object.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";

/**
 * Returns a digest of the fields in a Rollout's status that only the controller writes: neither our patches nor any
 * command of `kubectl argo rollouts` touches them. While it stays the same, the controller has written nothing visible.
 *
 * Each pass ends in `persistRolloutStatus`, or at the start, if pauses were set or lifted, in `checkPausedConditions`,
 * which rewrites the conditions Paused and Progressing with new times (rollout/sync.go of argo-rollouts 1.10.2, and of
 * 1.9.3). Fields that people write too are left out: step index, pauses, controllerPause, abort, promoteFull. Of a
 * message only the reason counts, since the recorded object may have the rest redacted.
 */
export function readControllerTrace({ status }: RolloutObject): string {
  const { canary, blueGreen } = status;
  return digestOf({
    generations: [status.observedGeneration, status.workloadObservedGeneration],
    phase: [status.phase, status.message.split(":")[0]],
    hashes: [status.currentPodHash, status.stableRS, status.currentStepHash],
    counts: [status.replicas, status.updatedReplicas, status.readyReplicas, status.availableReplicas],
    times: [status.abortedAt ?? null, status.restartedAt ?? null],
    runs: [
      canary?.currentStepAnalysisRunStatus,
      canary?.currentBackgroundAnalysisRunStatus,
      blueGreen?.prePromotionAnalysisRunStatus,
      blueGreen?.postPromotionAnalysisRunStatus,
    ].map(runOf),
    canary: [canary?.currentExperiment || null, canary?.weights ?? null, canary?.stepPluginStatuses ?? null],
    blueGreen: [
      blueGreen?.activeSelector ?? "",
      blueGreen?.previewSelector ?? "",
      blueGreen?.scaleUpPreviewCheckPoint ?? false,
    ],
    conditions: (status.conditions ?? [])
      .map(({ type, status: is, reason, lastUpdateTime, lastTransitionTime }) =>
        [type, is, reason, lastUpdateTime ?? "", lastTransitionTime ?? ""].join(" "),
      )
      .toSorted(),
  });
}

/**
 * Returns whether the controller has written since `trace` was read. Actions of older versions have no trace: then it
 * is unknown.
 */
export function hasControllerWritten({
  trace,
  rollout,
}: {
  trace: string | undefined;
  rollout: RolloutObject;
}): boolean {
  return trace === undefined || trace !== readControllerTrace(rollout);
}

function runOf(run: RolloutRunStatus | undefined): string[] | null {
  return run === undefined ? null : [run.name, run.status ?? ""];
}
