import { z } from "zod";
import { OwnedMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";
import {
  listImages,
  WorkloadConditions,
  type WorkloadState,
  WorkloadTemplate,
} from "#lib/domain/kube/workload-state.ts";

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
