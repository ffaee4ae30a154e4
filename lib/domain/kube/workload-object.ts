import { z } from "zod";
import { OwnedMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";

/** A condition of a workload. Times are as the cluster wrote them. */
export type WorkloadCondition = {
  type: string;
  status: string;
  reason: string;
  lastUpdateTime: string | undefined;
  lastTransitionTime: string | undefined;
};

/** The state of a Deployment or DaemonSet and its pods, from a record or from the cluster. */
export type WorkloadState = {
  kind: "Deployment" | "DaemonSet";
  /** Pods that it should have. */
  desired: number;
  /** Pods that it has, of any version; for a DaemonSet those on nodes that should run one. */
  replicas: number;
  updated: number;
  ready: number;
  available: number;
  generation: number | undefined;
  /** Undefined until its controller has seen it. */
  observedGeneration: number | undefined;
  /** Such as `RollingUpdate`, `Recreate` or `OnDelete`. */
  strategy: string | undefined;
  /** Undefined for a DaemonSet, which has none. */
  progressDeadlineSeconds: number | undefined;
  conditions: WorkloadCondition[];
  images: string[];
};

/** The pod template of a workload, with all of its fields. */
const WorkloadTemplate = z.looseObject({
  spec: optional(z.looseObject({ containers: optional(z.array(z.looseObject({ image: optional(z.string()) }))) })),
});
type WorkloadTemplate = z.infer<typeof WorkloadTemplate>;

const Text = optional(z.string()).transform((text) => text ?? "");

/** The conditions in a status; an empty list if it has none. */
const WorkloadConditions = optional(
  z.array(
    z.object({
      type: Text,
      status: Text,
      reason: Text,
      lastUpdateTime: optional(z.string()),
      lastTransitionTime: optional(z.string()),
    }),
  ),
).transform((conditions): WorkloadCondition[] => conditions ?? []);

/** Lists the images of a template's containers, in their order. */
function listImages(template: WorkloadTemplate | undefined): string[] {
  return (template?.spec?.containers ?? []).flatMap((container) => container.image ?? []);
}

const Count = optional(z.number());

/** A `Deployment`, reduced while parsing to the fields that a rollout that refers to it shows or compares. */
const DeploymentObject = z.object({
  kind: z.literal("Deployment"),
  metadata: OwnedMeta,
  spec: optional(
    z.object({
      replicas: Count,
      progressDeadlineSeconds: Count,
      strategy: optional(z.object({ type: optional(z.string()) })),
      template: optional(WorkloadTemplate),
    }),
  ),
  status: optional(
    z.object({
      observedGeneration: Count,
      replicas: Count,
      readyReplicas: Count,
      availableReplicas: Count,
      updatedReplicas: Count,
      conditions: WorkloadConditions,
    }),
  ),
});

/** `podTemplate`: as the cluster gave it, with its secrets. */
export type WorkloadFacts = OwnedMeta & WorkloadState & { podTemplate: WorkloadTemplate | undefined };

export function parseDeployment(object: unknown): Parsed<WorkloadFacts> {
  const parsed = parseKubeObject(DeploymentObject, object);
  if (!parsed.ok) return parsed;
  const { kind, metadata, spec, status } = parsed.value;
  return {
    ok: true,
    value: {
      ...metadata,
      kind,
      generation: metadata.generation,
      images: listImages(spec?.template),
      desired: spec?.replicas ?? 1,
      replicas: status?.replicas ?? 0,
      ready: status?.readyReplicas ?? 0,
      available: status?.availableReplicas ?? 0,
      updated: status?.updatedReplicas ?? 0,
      observedGeneration: status?.observedGeneration,
      strategy: spec?.strategy?.type,
      progressDeadlineSeconds: spec?.progressDeadlineSeconds,
      conditions: status?.conditions ?? [],
      podTemplate: spec?.template,
    },
  };
}

/** A `DaemonSet`, reduced while parsing to the fields that a rollout with this workload shows or compares. */
const DaemonSetObject = z.object({
  kind: z.literal("DaemonSet"),
  metadata: OwnedMeta,
  spec: optional(
    z.object({
      updateStrategy: optional(z.object({ type: optional(z.string()) })),
      template: optional(WorkloadTemplate),
    }),
  ),
  status: optional(
    z.object({
      observedGeneration: Count,
      desiredNumberScheduled: Count,
      currentNumberScheduled: Count,
      updatedNumberScheduled: Count,
      numberReady: Count,
      numberAvailable: Count,
      conditions: WorkloadConditions,
    }),
  ),
});

export function parseDaemonSet(object: unknown): Parsed<WorkloadFacts> {
  const parsed = parseKubeObject(DaemonSetObject, object);
  if (!parsed.ok) return parsed;
  const { kind, metadata, spec, status } = parsed.value;
  return {
    ok: true,
    value: {
      ...metadata,
      kind,
      generation: metadata.generation,
      images: listImages(spec?.template),
      desired: status?.desiredNumberScheduled ?? 0,
      replicas: status?.currentNumberScheduled ?? 0,
      ready: status?.numberReady ?? 0,
      available: status?.numberAvailable ?? 0,
      updated: status?.updatedNumberScheduled ?? 0,
      observedGeneration: status?.observedGeneration,
      strategy: spec?.updateStrategy?.type,
      progressDeadlineSeconds: undefined,
      conditions: status?.conditions ?? [],
      podTemplate: spec?.template,
    },
  };
}
