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

/** `podTemplate`: as the cluster gave it, with its secrets. */
export type DaemonSetFacts = OwnedMeta & WorkloadState & { podTemplate: WorkloadTemplate | undefined };

export function parseDaemonSet(object: unknown): Parsed<DaemonSetFacts> {
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
