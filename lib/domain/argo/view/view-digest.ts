import { z } from "zod";
import type { RolloutObject, RolloutRunStatus } from "#lib/domain/argo/objects/rollout-object.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";

const RunView = z.object({ name: z.string(), phase: z.string() });
const PauseView = z.object({ reason: z.string(), startTime: z.string().nullable() });

/**
 * The fields that a decision about an Argo Rollout depends on, and no others: replica counts, resourceVersion,
 * generation and conditions change all the time and are left out. Template and strategy are hashes, so it contains no
 * secret.
 */
export const DecisionView = z.object({
  uid: z.string(),
  paused: z.boolean(),
  template: z.string().nullable(),
  strategy: z.string(),
  workloadRef: z.string().nullable(),
  workloadGeneration: z.string().nullable(),
  currentPodHash: z.string(),
  stableRS: z.string(),
  currentStepIndex: z.number().nullable(),
  currentStepHash: z.string(),
  controllerPause: z.boolean(),
  pauseConditions: z.array(PauseView),
  abort: z.boolean(),
  promoteFull: z.boolean(),
  stepAnalysis: RunView.nullable(),
  backgroundAnalysis: RunView.nullable(),
  prePromotionAnalysis: RunView.nullable(),
  postPromotionAnalysis: RunView.nullable(),
  experiment: z.string().nullable(),
});
export type DecisionView = z.infer<typeof DecisionView>;

const workloadGeneration = "rollout.argoproj.io/workload-generation";

export function computeDecisionView(rollout: RolloutObject): DecisionView {
  const { metadata, spec, status } = rollout;
  const { workloadRef } = spec;
  return {
    uid: metadata.uid,
    paused: spec.paused,
    template: spec.template === undefined ? null : digestOf(spec.template),
    strategy: digestOf(spec.strategy),
    workloadRef:
      workloadRef === undefined
        ? null
        : [workloadRef.apiVersion, workloadRef.kind, workloadRef.name].map((part) => String(part ?? "")).join("/"),
    // Without workloadRef the annotation has no meaning, and editing it changes no decision.
    workloadGeneration: workloadRef === undefined ? null : (metadata.annotations[workloadGeneration] ?? null),
    currentPodHash: status.currentPodHash,
    stableRS: status.stableRS,
    currentStepIndex: status.currentStepIndex ?? null,
    currentStepHash: status.currentStepHash,
    controllerPause: status.controllerPause,
    pauseConditions: (status.pauseConditions ?? []).map(({ reason, startTime }) => ({
      reason,
      startTime: startTime ?? null,
    })),
    abort: status.abort,
    promoteFull: status.promoteFull,
    stepAnalysis: runViewOf(status.canary?.currentStepAnalysisRunStatus),
    backgroundAnalysis: runViewOf(status.canary?.currentBackgroundAnalysisRunStatus),
    prePromotionAnalysis: runViewOf(status.blueGreen?.prePromotionAnalysisRunStatus),
    postPromotionAnalysis: runViewOf(status.blueGreen?.postPromotionAnalysisRunStatus),
    experiment: status.canary?.currentExperiment || null,
  };
}

/**
 * Returns 64 lowercase hex digits over the decision view. Compute it from the object as the cluster gave it,
 * unredacted.
 */
export function computeViewDigest(rollout: RolloutObject): string {
  return digestOf(computeDecisionView(rollout));
}

function runViewOf(run: RolloutRunStatus | undefined): DecisionView["stepAnalysis"] {
  return run === undefined ? null : { name: run.name, phase: run.status ?? "" };
}
