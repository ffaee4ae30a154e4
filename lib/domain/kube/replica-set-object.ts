import { z } from "zod";
import { ObjectMeta, optional, type Parsed, parseKubeObject } from "#lib/domain/kube/kube-object.ts";

const Count = optional(z.number());

export const ReplicaSetObject = z.looseObject({
  kind: z.literal("ReplicaSet"),
  metadata: ObjectMeta,
  spec: optional(
    z.looseObject({
      replicas: Count,
      template: optional(
        z.looseObject({
          spec: optional(
            z.looseObject({ containers: optional(z.array(z.looseObject({ image: optional(z.string()) }))) }),
          ),
        }),
      ),
    }),
  ),
  status: optional(z.looseObject({ replicas: Count, readyReplicas: Count, availableReplicas: Count })),
});
export type ReplicaSetObject = z.infer<typeof ReplicaSetObject>;

export function parseReplicaSet(object: unknown): Parsed<ReplicaSetObject> {
  return parseKubeObject(ReplicaSetObject, object);
}

/** Controllers add it to the pod template of each revision: it names the template's own hash. */
const hashLabel = /pod-template-hash$/;

/** Returns the pod template without the label that names its hash; undefined if the ReplicaSet has no template. */
export function extractPodTemplate({ spec }: ReplicaSetObject): unknown {
  const template: Record<string, unknown> | undefined = spec?.template;
  const metadata = template?.metadata;
  if (typeof metadata !== "object" || metadata === null || !("labels" in metadata)) return template;
  const { labels } = metadata;
  if (typeof labels !== "object" || labels === null) return template;
  const kept = Object.fromEntries(Object.entries(labels).filter(([name]) => !hashLabel.test(name)));
  return { ...template, metadata: { ...metadata, labels: kept } };
}

/** The images and pod counts of a ReplicaSet. Its provider determines the revision. */
export type ReplicaSetFacts = {
  uid: string;
  name: string;
  images: string[];
  desired: number;
  replicas: number;
  ready: number;
  available: number;
  createdAt: string | undefined;
};

export function extractReplicaSetFacts(replicaSet: ReplicaSetObject): ReplicaSetFacts {
  const { metadata, spec, status } = replicaSet;
  return {
    uid: metadata.uid,
    name: metadata.name,
    images: (spec?.template?.spec?.containers ?? []).flatMap((container) => container.image ?? []),
    desired: spec?.replicas ?? 1,
    replicas: status?.replicas ?? 0,
    ready: status?.readyReplicas ?? 0,
    available: status?.availableReplicas ?? 0,
    createdAt: metadata.creationTimestamp,
  };
}
