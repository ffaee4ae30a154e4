import { formatGroupVersion } from "#lib/domain/kube/api-resource.ts";
import { sharedKinds, type WatchedKind } from "#lib/domain/kube/watched-kind.ts";
import { knownManagers, providedKinds } from "#lib/domain/providers.ts";

const kinds: readonly WatchedKind[] = [...sharedKinds.first, ...providedKinds, ...sharedKinds.last];

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
  /** Names of the labels and annotations of rollouts that are recorded. */
  recordedLabels: readonly string[];
};

export function sourcesOf(
  cluster: {
    name: string;
    namespaces?: readonly string[] | undefined;
    controllers?: { managers: readonly string[] };
  },
  recordedLabels: readonly string[] = [],
): SourceKey[] {
  const namespaces = cluster.namespaces ?? [""];
  const controllerManagers = cluster.controllers?.managers ?? knownManagers;
  return watchedResources.flatMap((watched) => {
    const scopes = watched.isClusterScoped === true ? [""] : namespaces;
    return scopes.map((namespace) => ({
      ...watched,
      cluster: cluster.name,
      namespace,
      controllerManagers,
      recordedLabels,
      id: [cluster.name, watched.resource, ...(namespace === "" ? [] : [namespace])].join("/"),
    }));
  });
}

export function pathOf(source: Pick<SourceKey, "groupVersion" | "resource" | "namespace">): string {
  const scope = source.namespace === "" ? "" : `/namespaces/${encodeURIComponent(source.namespace)}`;
  return `/${source.groupVersion}${scope}/${source.resource}`;
}
