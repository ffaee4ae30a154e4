import { z } from "zod";
import { podHashLabel } from "#lib/domain/kube/watched-kind.ts";

/** Accepts missing or null for an optional field, since Kubernetes writes both; both become undefined. */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const StringMap = optional(z.record(z.string(), z.string())).transform((map) => map ?? {});

export const OwnerReference = z.looseObject({
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  controller: optional(z.boolean()),
});
export type OwnerReference = z.infer<typeof OwnerReference>;

export const ObjectMeta = z.looseObject({
  name: z.string().min(1),
  namespace: optional(z.string()),
  uid: z.string().min(1),
  resourceVersion: z.string(),
  generation: optional(z.number()),
  creationTimestamp: optional(z.string()),
  deletionTimestamp: optional(z.string()),
  labels: StringMap,
  annotations: StringMap,
  ownerReferences: optional(z.array(OwnerReference)),
});
export type ObjectMeta = z.infer<typeof ObjectMeta>;

export type Parsed<Value> = { ok: true; value: Value } | { ok: false; reason: string };

/**
 * Parses a foreign object; the reason names the first field that does not fit. `placeOf` is for an object that
 * represents a larger one.
 */
export function parseKubeObject<Schema extends z.ZodType>(
  schema: Schema,
  object: unknown,
  placeOf: (path: readonly PropertyKey[]) => readonly PropertyKey[] = (path) => path,
): Parsed<z.infer<Schema>> {
  const result = schema.safeParse(object);
  if (result.success) return { ok: true, value: result.data };
  const [issue] = result.error.issues;
  return {
    ok: false,
    reason: issue === undefined ? "not usable" : `${placeOf(issue.path).join(".")}: ${issue.message}`,
  };
}

/** Returns the owner that controls the object, else the first owner; undefined if it has no owner. */
export function controllerOf(meta: Pick<ObjectMeta, "ownerReferences">): OwnerReference | undefined {
  return meta.ownerReferences?.find((owner) => owner.controller === true) ?? meta.ownerReferences?.[0];
}

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
