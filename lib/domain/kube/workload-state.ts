import { z } from "zod";
import { optional } from "#lib/domain/kube/kube-object.ts";

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
export const WorkloadTemplate = z.looseObject({
  spec: optional(z.looseObject({ containers: optional(z.array(z.looseObject({ image: optional(z.string()) }))) })),
});
export type WorkloadTemplate = z.infer<typeof WorkloadTemplate>;

const Text = optional(z.string()).transform((text) => text ?? "");

/** The conditions in a status; an empty list if it has none. */
export const WorkloadConditions = optional(
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
export function listImages(template: WorkloadTemplate | undefined): string[] {
  return (template?.spec?.containers ?? []).flatMap((container) => container.image ?? []);
}
