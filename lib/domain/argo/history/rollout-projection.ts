import { type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { describeBlueGreen } from "#lib/domain/argo/view/blue-green.ts";
import { computeDecisionView, type DecisionView } from "#lib/domain/argo/view/decision-view.ts";
import { isGenerationObserved } from "#lib/domain/argo/view/rollout-status.ts";
import { describeStep, pauseSecondsOf } from "#lib/domain/argo/view/rollout-steps.ts";
import { maxWeightOf } from "#lib/domain/argo/view/weights.ts";
import type { PluginStep } from "#lib/domain/delivery/observation.ts";
import type { DeliverySummary } from "#lib/domain/delivery/provider.ts";
import { cutText } from "#lib/util/text.ts";

/** The fields that the timeline and the releases need in addition to the decision view. */
export type ProjectionView = {
  phase: string;
  message: string;
  strategy: string | null;
  revision: number | null;
  /** Number of completed steps. */
  step: number | null;
  stepCount: number;
  /** Describes the current step; null past the last one. */
  stepText: string | null;
  /** Whether the current step is a pause without an end. */
  stepWaitsForPerson: boolean;
  /** Percent that the strategy requests. */
  weight: number | null;
  /** Images of the wanted pod template. */
  images: string[];
  abortedAt: string | null;
  /** False while the controller has not acted on the newest spec: the status still describes the old one. */
  specObserved: boolean;
  // Absent in observations that were stored before these were recorded: then they are unknown, not empty.
  /** `spec.rollbackWindow.revisions`. */
  rollbackWindow?: number | null;
  /** The hash that the active service of a blue-green selects; null for other strategies. */
  activeSelector?: string | null;
  /** Whether the spec requests zero pods. */
  isScaledToZero?: boolean;
  /** `spec.restartAt`. */
  restartAt?: string | null;
  /** Indices of the pause steps. */
  pauseSteps?: number[];
  /** Whether the current step is a pause that was held, according to the observations. */
  pauseHeld?: boolean;
  /** Pauses of this release that the controller passed without holding them (find-skipped-gates.ts). */
  skippedGates?: { step: number; at: string }[];
  /** Whether only a person ends the pause of a blue-green; absent for other strategies. */
  promotionWaitsForPerson?: boolean;
  /** Plugin statuses for the steps of this release. */
  plugins?: readonly PluginStep[];
  /** True in the last observation of an object whose deletion was seen. */
  isDeleted?: boolean;
};

/** Stored with each observation: the decision view, with its fields at the top, and the fields for display. */
export type RolloutProjection = DecisionView & { view: ProjectionView };

/** As it is stored for a Rollout. */
export type ArgoObservation = {
  /** ISO 8601; when the recorder saw it. */
  observedAt: string;
  resourceVersion: string;
  writer: string | null;
  projection: RolloutProjection;
};

/**
 * Computes the projection from the object as the cluster gave it. `view` must come from the same object. `toStorable`
 * hides the object's secrets in a text.
 */
export function computeProjection(
  rollout: RolloutObject,
  view: DeliverySummary,
  {
    isDeleted = false,
    toStorable = (text) => text,
  }: { isDeleted?: boolean; toStorable?: (text: string) => string } = {},
): RolloutProjection {
  const current = stepsOf(rollout)[view.step ?? -1];
  const blueGreen = describeBlueGreen(rollout);
  return {
    ...computeDecisionView(rollout),
    view: {
      phase: view.phase,
      message: view.message,
      strategy: view.strategy,
      revision: view.revision,
      step: view.step,
      stepCount: view.stepCount,
      stepText: current === undefined ? null : describeStep(current, maxWeightOf(rollout)).text,
      stepWaitsForPerson: current?.pause !== undefined && pauseSecondsOf(current) === undefined,
      weight: view.weight?.set ?? null,
      images: imagesOf(rollout, view),
      abortedAt: rollout.status.abortedAt ?? null,
      specObserved: isGenerationObserved(rollout.status.observedGeneration, rollout.metadata.generation ?? 0),
      rollbackWindow: rollbackWindowOf(rollout),
      activeSelector:
        rollout.spec.strategy.blueGreen === undefined ? null : (rollout.status.blueGreen?.activeSelector ?? ""),
      isScaledToZero: rollout.spec.replicas === 0,
      restartAt: rollout.spec.restartAt ?? null,
      pauseSteps: stepsOf(rollout).flatMap((step, index) => (step.pause === undefined ? [] : [index])),
      ...(blueGreen === null ? {} : { promotionWaitsForPerson: blueGreen.promotion === "person" }),
      ...listPlugins(rollout, toStorable),
      isDeleted,
    },
  };
}

const mostPlugins = 100;
const longestMessage = 1000;

/** Stored with each observation: if there are many steps, only the last ones. */
function listPlugins({ status }: RolloutObject, toStorable: (text: string) => string): Pick<ProjectionView, "plugins"> {
  const statuses = status.canary?.stepPluginStatuses ?? [];
  if (statuses.length === 0) return {};
  return {
    plugins: statuses.slice(-mostPlugins).map(({ index, name, operation, phase, message, disabled }) => ({
      step: index,
      name: cutText(name, longestMessage),
      operation: cutText(operation, longestMessage),
      phase: cutText(phase, longestMessage),
      message: cutText(toStorable(message), longestMessage),
      isDisabled: disabled === true,
    })),
  };
}

/**
 * Returns whether the controller has aborted it. A request does not suffice: the controller drops it if the revision is
 * already stable, or is being promoted in full. For controllers that do not write `abortedAt`, the phase decides.
 */
export function isAborted({ abort, stableRS, currentPodHash, view }: RolloutProjection): boolean {
  return abort && stableRS !== currentPodHash && ((view.abortedAt ?? null) !== null || view.phase === "Degraded");
}

function rollbackWindowOf(rollout: RolloutObject): number | null {
  const { rollbackWindow } = rollout.spec;
  if (typeof rollbackWindow !== "object" || rollbackWindow === null || !("revisions" in rollbackWindow)) return null;
  return typeof rollbackWindow.revisions === "number" ? rollbackWindow.revisions : null;
}

/**
 * Returns the images. With workloadRef the template is elsewhere: then they come from the ReplicaSet of the wanted
 * hash.
 */
function imagesOf(rollout: RolloutObject, view: DeliverySummary): string[] {
  const own = (rollout.spec.template?.spec?.containers ?? []).flatMap((container) => container.image ?? []);
  if (own.length > 0) return own;
  return view.replicaSets.find((replicaSet) => replicaSet.podHash === view.revisionKey)?.images ?? [];
}
