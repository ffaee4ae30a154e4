import { z } from "zod";
import { controllerOf, ObjectMeta, optional, podHashLabel } from "#lib/domain/kube/kube-object.ts";

/**
 * The metadata that is kept of a kind of which a cluster has very many: labels, annotations and managedFields are
 * dropped while parsing, so that nothing large waits in memory.
 */
export const OwnedMeta = z
  .object({
    name: ObjectMeta.shape.name,
    namespace: optional(z.string()),
    uid: ObjectMeta.shape.uid,
    resourceVersion: z.string(),
    generation: optional(z.number()),
    creationTimestamp: optional(z.string()),
    labels: ObjectMeta.shape.labels,
    ownerReferences: ObjectMeta.shape.ownerReferences,
  })
  .transform(({ labels, ownerReferences, ...meta }) => {
    const owner = controllerOf({ ownerReferences });
    return {
      ...meta,
      podHash: labels[podHashLabel],
      ownerKind: owner?.kind,
      ownerUid: owner?.uid,
    };
  });
export type OwnedMeta = z.infer<typeof OwnedMeta>;
