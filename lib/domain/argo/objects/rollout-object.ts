import { z } from "zod";
import type { RevisionMark } from "#lib/domain/delivery/attribute-revision.ts";
import { ObjectMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";
import { podHashLabel } from "#lib/domain/kube/watched-kind.ts";

const Template = z.looseObject({
  spec: optional(
    z.looseObject({
      containers: optional(z.array(z.looseObject({ name: optional(z.string()), image: optional(z.string()) }))),
    }),
  ),
});

export const CanaryStep = z.looseObject({
  setWeight: optional(z.number()),
  pause: optional(z.looseObject({ duration: optional(z.union([z.number(), z.string()])) })),
  analysis: optional(z.looseObject({})),
  experiment: optional(z.looseObject({})),
  setCanaryScale: optional(
    z.looseObject({
      weight: optional(z.number()),
      replicas: optional(z.number()),
      matchTrafficWeight: optional(z.boolean()),
    }),
  ),
  setHeaderRoute: optional(z.looseObject({ name: optional(z.string()) })),
  setMirrorRoute: optional(z.looseObject({ name: optional(z.string()) })),
  plugin: optional(z.looseObject({ name: optional(z.string()) })),
});
export type CanaryStep = z.infer<typeof CanaryStep>;

const Canary = z.looseObject({
  steps: optional(z.array(CanaryStep)),
  analysis: optional(z.looseObject({})),
  trafficRouting: optional(z.looseObject({ maxTrafficWeight: optional(z.number()) })),
  pingPong: optional(z.looseObject({})),
  /** With it, fewer pods than a weight requests can complete its step. */
  replicaProgressThreshold: optional(z.looseObject({})),
});

const BlueGreen = z.looseObject({
  activeService: optional(z.string()),
  previewService: optional(z.string()),
  autoPromotionEnabled: optional(z.boolean()),
  autoPromotionSeconds: optional(z.number()),
  scaleDownDelaySeconds: optional(z.number()),
  prePromotionAnalysis: optional(z.looseObject({})),
  postPromotionAnalysis: optional(z.looseObject({})),
});

const RunStatus = z.looseObject({
  name: z.string(),
  status: optional(z.string()),
  message: optional(z.string()),
});
export type RolloutRunStatus = z.infer<typeof RunStatus>;

const Count = optional(z.number()).transform((value) => value ?? 0);
const Text = optional(z.string()).transform((value) => value ?? "");
const Flag = optional(z.boolean()).transform((value) => value ?? false);

/** The status of a plugin's operation on a step: Run, or Terminate or Abort after that. */
const PluginStatus = z.looseObject({
  index: z.number(),
  name: Text,
  operation: Text,
  phase: Text,
  message: Text,
  executions: optional(z.number()),
  backoff: optional(z.string()),
  disabled: optional(z.boolean()),
  startedAt: optional(z.string()),
  updatedAt: optional(z.string()),
  finishedAt: optional(z.string()),
});
export type PluginStatus = z.infer<typeof PluginStatus>;

const Status = z.looseObject({
  phase: Text,
  message: Text,
  observedGeneration: Text,
  workloadObservedGeneration: Text,
  abort: Flag,
  abortedAt: optional(z.string()),
  promoteFull: Flag,
  controllerPause: Flag,
  pauseConditions: optional(z.array(z.looseObject({ reason: z.string(), startTime: optional(z.string()) }))),
  currentStepIndex: optional(z.number()),
  currentStepHash: Text,
  currentPodHash: Text,
  stableRS: Text,
  replicas: Count,
  updatedReplicas: Count,
  readyReplicas: Count,
  availableReplicas: Count,
  restartedAt: optional(z.string()),
  conditions: optional(
    z.array(
      z.looseObject({
        type: z.string(),
        status: Text,
        reason: Text,
        message: Text,
        lastTransitionTime: optional(z.string()),
        lastUpdateTime: optional(z.string()),
      }),
    ),
  ),
  canary: optional(
    z.looseObject({
      currentStepAnalysisRunStatus: optional(RunStatus),
      currentBackgroundAnalysisRunStatus: optional(RunStatus),
      currentExperiment: optional(z.string()),
      stablePingPong: optional(z.string()),
      stepPluginStatuses: optional(z.array(PluginStatus)),
      weights: optional(z.looseObject({ canary: optional(z.looseObject({ weight: optional(z.number()) })) })),
    }),
  ),
  blueGreen: optional(
    z.looseObject({
      previewSelector: Text,
      activeSelector: Text,
      prePromotionAnalysisRunStatus: optional(RunStatus),
      postPromotionAnalysisRunStatus: optional(RunStatus),
    }),
  ),
});

/** The parts of an Argo `Rollout` that Gatehouse reads; other fields are kept unchanged. */
export const RolloutObject = z.looseObject({
  kind: z.literal("Rollout"),
  metadata: ObjectMeta,
  spec: z.looseObject({
    replicas: optional(z.number()),
    paused: Flag,
    restartAt: optional(z.string()),
    progressDeadlineSeconds: optional(z.number()),
    progressDeadlineAbort: Flag,
    template: optional(Template),
    workloadRef: optional(z.looseObject({ kind: optional(z.string()), name: optional(z.string()) })),
    strategy: optional(z.looseObject({ canary: optional(Canary), blueGreen: optional(BlueGreen) })).transform(
      (strategy) => strategy ?? { canary: undefined, blueGreen: undefined },
    ),
  }),
  status: optional(Status).transform((status) => status ?? Status.parse({})),
});
export type RolloutObject = z.infer<typeof RolloutObject>;

export function parseRollout(object: unknown): Parsed<RolloutObject> {
  return parseKubeObject(RolloutObject, object);
}

/** Returns the steps of a canary; empty for other strategies. */
export function stepsOf(rollout: RolloutObject): CanaryStep[] {
  return rollout.spec.strategy.canary?.steps ?? [];
}

/** Returns the number of completed steps: 0 if the status has none, at most the number of steps. */
export function currentStepOf(rollout: RolloutObject): number {
  return Math.min(rollout.status.currentStepIndex ?? 0, stepsOf(rollout).length);
}

/** Reads which revision a ReplicaSet is, and which it has been. */
export function readRevisionMark(meta: Pick<ObjectMeta, "annotations" | "labels">): RevisionMark {
  return { podHash: meta.labels[podHashLabel], revision: revisionOf(meta), revisions: revisionsOf(meta) };
}

/** Reads `rollout.argoproj.io/revision`, on Rollouts, ReplicaSets, runs and Experiments alike. */
export function revisionOf(meta: Pick<ObjectMeta, "annotations">): number | undefined {
  const text = meta.annotations["rollout.argoproj.io/revision"];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns every revision that a ReplicaSet has been, ascending. One that is wanted again gets a new number, and the
 * earlier ones are kept next to it (Argo Rollouts, utils/annotations/annotations.go, SetNewReplicaSetAnnotations,
 * 1.10.2).
 */
function revisionsOf(meta: Pick<ObjectMeta, "annotations">): number[] {
  const earlier = (meta.annotations["rollout.argoproj.io/revision-history"] ?? "").split(",");
  const numbers = earlier.filter((text) => /^\d{1,9}$/.test(text)).map(Number);
  return [...new Set([...numbers, revisionOf(meta) ?? []].flat())].toSorted((one, other) => one - other);
}
