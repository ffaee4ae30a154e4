import { deployments, formatGroupVersion, replicaSets } from "#lib/domain/kube/api-resource.ts";
import { podHashLabel } from "#lib/domain/kube/kube-object.ts";
import type { WatchedKind } from "#lib/domain/kube/watched-kind.ts";
import { knownManagers, providedKinds } from "#lib/domain/providers.ts";

const core = { group: "", version: "v1" };

const kinds: readonly WatchedKind[] = [
  { kind: "ReplicaSet", resource: replicaSets, recordedAs: "replica-set", labelSelector: podHashLabel },
  ...providedKinds,
  { kind: "Pod", resource: { ...core, name: "pods" }, recordedAs: "pod", labelSelector: podHashLabel },
  // All Deployments, reduced to a few numbers and the pod template. No selector finds those that a workloadRef names,
  // metadata lacks the replicas, and a Deployment must already be recorded when a rollout begins to refer to it.
  { kind: "Deployment", resource: deployments, recordedAs: "deployment" },
  // One watch for all: field selectors have no OR. Events about kinds that are not watched are dropped on arrival.
  { kind: "Event", resource: { ...core, name: "events" }, recordedAs: "event" },
];

/** A resource that the recorder watches in every cluster. */
export type WatchedResource = Omit<WatchedKind, "resource" | "vanished" | "holdsDisappearance"> & {
  resource: string;
  groupVersion: string;
  vanished: NonNullable<WatchedKind["vanished"]>;
  holdsDisappearance: boolean;
};

export const watchedResources: readonly WatchedResource[] = kinds.map((watched) => ({
  vanished: "deleted",
  holdsDisappearance: false,
  ...watched,
  resource: watched.resource.name,
  groupVersion: formatGroupVersion(watched.resource),
}));

/** The beginning of a watched object's apiVersion, by kind, for any version of its group: `apps/`, `v1`. */
export const apiVersionOfKind: ReadonlyMap<string, string> = new Map(
  kinds
    .filter(({ recordedAs }) => recordedAs !== "event")
    .map(({ kind, resource: { group, version } }) => [kind, group === "" ? version : `${group}/`]),
);

/** One source: a resource of a cluster in one namespace, or in all (empty text). */
export type SourceKey = WatchedResource & {
  id: string;
  cluster: string;
  namespace: string;
  /** Field managers that the config declares to be the controller; it is also recognised by its writes. */
  controllerManagers: readonly string[];
};

export function sourcesOf(cluster: {
  name: string;
  namespaces?: readonly string[] | undefined;
  controllers?: { managers: readonly string[] };
}): SourceKey[] {
  const namespaces = cluster.namespaces ?? [""];
  const controllerManagers = cluster.controllers?.managers ?? knownManagers;
  return watchedResources.flatMap((watched) => {
    const scopes = watched.isClusterScoped === true ? [""] : namespaces;
    return scopes.map((namespace) => ({
      ...watched,
      cluster: cluster.name,
      namespace,
      controllerManagers,
      id: [cluster.name, watched.resource, ...(namespace === "" ? [] : [namespace])].join("/"),
    }));
  });
}

export function pathOf(source: Pick<SourceKey, "groupVersion" | "resource" | "namespace">): string {
  const scope = source.namespace === "" ? "" : `/namespaces/${encodeURIComponent(source.namespace)}`;
  return `/${source.groupVersion}${scope}/${source.resource}`;
}
