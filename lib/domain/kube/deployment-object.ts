import { z } from "zod";
import { optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";
import { OwnedMeta } from "#lib/domain/kube/owned-meta.ts";
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
export type DeploymentFacts = OwnedMeta & WorkloadState & { podTemplate: WorkloadTemplate | undefined };

export function parseDeployment(object: unknown): Parsed<DeploymentFacts> {
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
