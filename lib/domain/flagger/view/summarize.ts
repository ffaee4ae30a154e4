import type { DeliveryPhase, DeliverySummary } from "#lib/domain/delivery/provider.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { runKeyOf } from "#lib/domain/flagger/objects/run-key.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-object.ts";
import type { CanaryAssessment } from "./canary-state.ts";
import { countRounds } from "./canary-steps.ts";
import type { CanaryState } from "./find-state.ts";
import { computeStepPlan } from "./step-plan.ts";

/** Summarises a Canary for lists: a wait for a person and a suspension are Paused, every failure is Degraded. */
export function summarizeCanary({
  canary,
  assessment,
  primary,
  target,
  meshProvider,
}: {
  canary: CanaryObject;
  assessment: Pick<CanaryAssessment, "state" | "message" | "traffic">;
  primary: WorkloadState | undefined;
  target: WorkloadState | undefined;
  /** The controller's default router. */
  meshProvider?: string | undefined;
}): DeliverySummary {
  const plan = computeStepPlan(canary, meshProvider);
  const { percent, statusPercent } = assessment.traffic;
  const onNew = isOnPrimary(assessment.state) ? 100 : percent;
  const isSetWeight = canary.status.phase === "Progressing";
  return {
    strategy: plan.strategy,
    phase: phaseOf(assessment.state),
    providerPhase: canary.status.phase === "" ? null : canary.status.phase,
    message: assessment.message,
    step: countRounds(canary, plan),
    stepCount: plan.checkRounds,
    weight: plan.strategy === "Canary" ? { set: isSetWeight ? statusPercent : onNew, actual: onNew } : null,
    images: collectImages({ primary, target }),
    revision: null,
    revisionKey: runKeyOf(canary),
    replicaSets: [],
  };
}

/** Returns whether all users are on the primary, and that runs the new version. */
function isOnPrimary(state: CanaryState): boolean {
  return state === "idle" || state === "succeeded" || state === "promotion-failed-outage";
}

function phaseOf(state: CanaryState): DeliveryPhase {
  switch (state) {
    case "idle":
    case "succeeded":
      return "Healthy";
    case "awaiting-start":
    case "awaiting-step":
    case "awaiting-promotion":
    case "suspended":
      return "Paused";
    case "initializing":
    case "analyzing":
    case "promoting":
    case "finalising":
      return "Progressing";
    case "terminating":
    case "unknown":
      return "Unknown";
    default:
      return "Degraded";
  }
}

/** Lists the images of both workloads, by name. A workload without pods counts only if the other is not known. */
function collectImages(workloads: {
  primary: WorkloadState | undefined;
  target: WorkloadState | undefined;
}): DeliverySummary["images"] {
  const tagsByImage = new Map<string, string[]>();
  const add = (workload: WorkloadState | undefined, tag: string): void => {
    for (const image of workload?.images ?? []) tagsByImage.set(image, [...(tagsByImage.get(image) ?? []), tag]);
  };
  const { primary, target } = workloads;
  const hasCanary = target !== undefined && (target.replicas > 0 || target.desired > 0);
  if (hasCanary || primary === undefined) add(target, "canary");
  add(primary, "stable");
  return [...tagsByImage]
    .map(([image, tags]) => ({ image, tags: [...new Set(tags)].sort() }))
    .toSorted((one, other) => (one.image < other.image ? -1 : one.image > other.image ? 1 : 0));
}
