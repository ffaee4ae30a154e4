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

/** What a ReplicaSet runs, and how many pods. Which revision it is, its provider knows. */
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
