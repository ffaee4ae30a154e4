import { z } from "zod";
import { type ApiResource, deployments, replicaSets } from "#lib/domain/kube/api-resource.ts";
import type { ClusterReader, ReadFailure } from "#lib/domain/kube/cluster-reader.ts";
import { controllerOf, ObjectMeta } from "#lib/domain/kube/kube-object.ts";
import { type PodWithContainers, parsePodContainers } from "#lib/domain/kube/pod-containers.ts";

/** What runs the pods of a version. */
export type PodOwner = { kind: "ReplicaSet" | "Deployment" | "DaemonSet" | "Job"; name: string };

export const pods: ApiResource = { group: "", version: "v1", name: "pods" };
const resources: Record<PodOwner["kind"], ApiResource> = {
  ReplicaSet: replicaSets,
  Deployment: deployments,
  DaemonSet: { group: "apps", version: "v1", name: "daemonsets" },
  Job: { group: "batch", version: "v1", name: "jobs" },
};

const Owner = z.object({ metadata: ObjectMeta, spec: z.object({ selector: z.unknown() }) });
const Owned = z.object({ metadata: ObjectMeta });

type Found = { kind: "found"; pods: PodWithContainers[] };

/**
 * Reads the pods that an object really owns, newest first. A selector alone may match pods of others, so the owners'
 * uids are compared: directly, or by way of the ReplicaSets of a Deployment. An owner that is gone has none.
 */
export async function findOwnedPods(
  reader: ClusterReader,
  { namespace, owner }: { namespace: string; owner: PodOwner },
): Promise<Found | ReadFailure> {
  const read = await reader.get({ resource: resources[owner.kind], namespace, name: owner.name });
  if (read.kind === "missing") return { kind: "found", pods: [] };
  if (read.kind !== "found") return read;
  const parsed = Owner.safeParse(read.object);
  const labelSelector = parsed.success ? formatSelector(parsed.data.spec.selector) : "";
  // An empty selector would match every pod of the namespace.
  if (!parsed.success || labelSelector === "")
    return { kind: "unusable", message: `${owner.kind} ${owner.name} has no usable selector` };
  const { uid } = parsed.data.metadata;
  const owners = owner.kind === "Deployment" ? await findSets(reader, { namespace, labelSelector, uid }) : [uid];
  if (!Array.isArray(owners)) return owners;
  const listed = await reader.list({ resource: pods, kind: "Pod", namespace, labelSelector });
  if (listed.kind !== "found") return listed;
  const found = listed.items.flatMap((item) => {
    const pod = parsePodContainers(item);
    return pod.ok && pod.value.ownerUid !== undefined && owners.includes(pod.value.ownerUid) ? [pod.value] : [];
  });
  return { kind: "found", pods: found.toSorted(byAge) };
}

/** Returns the uids of a Deployment's ReplicaSets. */
async function findSets(
  reader: ClusterReader,
  { namespace, labelSelector, uid }: { namespace: string; labelSelector: string; uid: string },
): Promise<string[] | ReadFailure> {
  const listed = await reader.list({ resource: replicaSets, kind: "ReplicaSet", namespace, labelSelector });
  if (listed.kind !== "found") return listed;
  return listed.items.flatMap((item) => {
    const set = Owned.safeParse(item);
    return set.success && controllerOf(set.data.metadata)?.uid === uid ? [set.data.metadata.uid] : [];
  });
}

function byAge(one: PodWithContainers, other: PodWithContainers): number {
  const [left, right] = [one.creationTimestamp ?? "", other.creationTimestamp ?? ""];
  return left === right ? (one.name < other.name ? -1 : 1) : left > right ? -1 : 1;
}

const Selector = z.looseObject({
  matchLabels: z.record(z.string(), z.string()).nullish(),
  matchExpressions: z
    .array(z.looseObject({ key: z.string(), operator: z.string(), values: z.array(z.string()).nullish() }))
    .nullish(),
});

/**
 * Formats a label selector as a query; returns "" for an absent selector, which matches everything, as upstream's does.
 */
export function formatSelector(selector: unknown): string {
  const parsed = Selector.safeParse(selector);
  if (!parsed.success) return "";
  const labels = Object.entries(parsed.data.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (parsed.data.matchExpressions ?? []).map(({ key, operator, values }) => {
    if (operator === "Exists") return key;
    if (operator === "DoesNotExist") return `!${key}`;
    return `${key} ${operator === "NotIn" ? "notin" : "in"} (${(values ?? []).join(",")})`;
  });
  return [...labels, ...expressions].join(",");
}
