import { z } from "zod";
import { optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";
import { OwnedMeta } from "#lib/domain/kube/owned-meta.ts";

const Count = optional(z.number());

/** A `Deployment`, reduced while parsing to what a rollout that refers to it shows. */
const DeploymentObject = z.object({
  kind: z.literal("Deployment"),
  metadata: OwnedMeta,
  spec: optional(
    z.object({
      replicas: Count,
      template: optional(
        z.object({
          spec: optional(z.object({ containers: optional(z.array(z.object({ image: optional(z.string()) }))) })),
        }),
      ),
    }),
  ),
  status: optional(
    z.object({ replicas: Count, readyReplicas: Count, availableReplicas: Count, updatedReplicas: Count }),
  ),
});

export type DeploymentFacts = OwnedMeta & {
  images: string[];
  desired: number;
  replicas: number;
  ready: number;
  available: number;
  updated: number;
};

export function parseDeployment(object: unknown): Parsed<DeploymentFacts> {
  const parsed = parseKubeObject(DeploymentObject, object);
  if (!parsed.ok) return parsed;
  const { metadata, spec, status } = parsed.value;
  return {
    ok: true,
    value: {
      ...metadata,
      images: (spec?.template?.spec?.containers ?? []).flatMap((container) => container.image ?? []),
      desired: spec?.replicas ?? 1,
      replicas: status?.replicas ?? 0,
      ready: status?.readyReplicas ?? 0,
      available: status?.availableReplicas ?? 0,
      updated: status?.updatedReplicas ?? 0,
    },
  };
}
