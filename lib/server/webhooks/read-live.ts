import { hashPodTemplate } from "#lib/domain/flagger/gates/checksum.ts";
import { readWatchedCanary, type WatchedCanary } from "#lib/domain/flagger/gates/watched-canary.ts";
import { type ApiResource, deployments, formatResourcePath } from "#lib/domain/kube/api-resource.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { isClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";

/** Workloads with a pod template that a canary may have as its target. */
const targetResources: Readonly<Record<string, ApiResource>> = {
  Deployment: deployments,
  DaemonSet: { group: "apps", version: "v1", name: "daemonsets" },
};
const canaries: ApiResource = { group: "flagger.app", version: "v1beta1", name: "canaries" };

/** `unreachable`: the cluster did not answer in time, or refused. `unusable`: the object is not there, or not usable. */
export type LiveRead<Value> =
  | { kind: "found"; value: Value }
  | { kind: "failed"; why: "cluster_unreachable" | "object_unreadable" };

type Reading = { client: ClusterClient; namespace: string; timeoutMs: number };

/** Reads the hash of the target's pod template from the cluster, as Gatehouse itself. */
export async function readLiveTemplate({
  target,
  ...reading
}: Reading & { target: WatchedCanary["target"] }): Promise<LiveRead<string>> {
  const resource = Object.hasOwn(targetResources, target.kind) ? targetResources[target.kind] : undefined;
  if (resource === undefined) return { kind: "failed", why: "object_unreadable" };
  return readLive({ ...reading, resource, name: target.name, parse: hashPodTemplate });
}

/** Reads the canary from the cluster, as Gatehouse itself: the recorded object may be a moment old, or redacted. */
export async function readLiveCanary({
  name,
  ...reading
}: Reading & { name: string }): Promise<LiveRead<WatchedCanary>> {
  return readLive({ ...reading, resource: canaries, name, parse: readWatchedCanary });
}

async function readLive<Value>({
  client,
  namespace,
  name,
  resource,
  timeoutMs,
  parse,
}: Reading & {
  name: string;
  resource: ApiResource;
  parse: (object: unknown) => Value | undefined;
}): Promise<LiveRead<Value>> {
  const path = `${formatResourcePath(resource, namespace)}/${encodeURIComponent(name)}`;
  try {
    const { status, json } = await client.request({ method: "GET", path, timeoutMs });
    if (status === 404) return { kind: "failed", why: "object_unreadable" };
    if (status !== 200) return { kind: "failed", why: "cluster_unreachable" };
    const value = isNamed(json, { namespace, name }) ? parse(json) : undefined;
    return value === undefined ? { kind: "failed", why: "object_unreadable" } : { kind: "found", value };
  } catch (error) {
    if (!isClusterUnreachableError(error)) throw error;
    return { kind: "failed", why: "cluster_unreachable" };
  }
}

/** Returns whether the answer is the object that was asked for. */
function isNamed(json: unknown, asked: { namespace: string; name: string }): boolean {
  if (typeof json !== "object" || json === null || !("metadata" in json)) return false;
  const { metadata } = json;
  if (typeof metadata !== "object" || metadata === null) return false;
  return (
    "name" in metadata &&
    metadata.name === asked.name &&
    "namespace" in metadata &&
    metadata.namespace === asked.namespace
  );
}
