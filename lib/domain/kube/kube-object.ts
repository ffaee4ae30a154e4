import { z } from "zod";

/** Kubernetes writes absent optional fields as missing or as null; both become undefined. */
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
 * Parses a foreign object; the reason names the first field that does not fit. `placeOf` is for an object that stands for
 * a larger one.
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

/** The owner that controls the object, else the first owner; undefined where nobody owns it. */
export function controllerOf(meta: Pick<ObjectMeta, "ownerReferences">): OwnerReference | undefined {
  return meta.ownerReferences?.find((owner) => owner.controller === true) ?? meta.ownerReferences?.[0];
}

/** `rollout.argoproj.io/revision`, on Rollouts, ReplicaSets, runs and Experiments alike. */
export function revisionOf(meta: Pick<ObjectMeta, "annotations">): number | undefined {
  const text = meta.annotations["rollout.argoproj.io/revision"];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Every revision that a ReplicaSet has been, ascending: one that is wanted again gets a new number, and the earlier ones
 * are kept beside it (Argo Rollouts, utils/annotations/annotations.go, SetNewReplicaSetAnnotations, 1.10.2).
 */
export function revisionsOf(meta: Pick<ObjectMeta, "annotations">): number[] {
  const earlier = (meta.annotations["rollout.argoproj.io/revision-history"] ?? "").split(",");
  const numbers = earlier.filter((text) => /^\d{1,9}$/.test(text)).map(Number);
  return [...new Set([...numbers, revisionOf(meta) ?? []].flat())].toSorted((one, other) => one - other);
}

export const podHashLabel = "rollouts-pod-template-hash";
