import { podHashLabel } from "#lib/domain/kube/kube-object.ts";
import { knownManagers } from "#lib/domain/providers.ts";

const argo = "apis/argoproj.io/v1alpha1";
const apps = "apis/apps/v1";

const table = {
  replicasets: { kind: "ReplicaSet", groupVersion: apps, labelSelector: podHashLabel },
  experiments: { kind: "Experiment", groupVersion: argo, vanished: "unobserved" },
  rollouts: { kind: "Rollout", groupVersion: argo, vanished: "absent", holdsDisappearance: true },
  analysisruns: { kind: "AnalysisRun", groupVersion: argo, vanished: "unobserved" },
  analysistemplates: { kind: "AnalysisTemplate", groupVersion: argo, vanished: "absent", holdsDisappearance: true },
  clusteranalysistemplates: {
    kind: "ClusterAnalysisTemplate",
    groupVersion: argo,
    vanished: "absent",
    holdsDisappearance: true,
    isClusterScoped: true,
  },
  pods: { kind: "Pod", groupVersion: "api/v1", labelSelector: podHashLabel },
  // All of them, cut down to a few numbers: no selector finds those that a workloadRef names, metadata alone lacks the
  // replicas, and a Deployment must be known already when a Rollout begins to refer to it.
  deployments: { kind: "Deployment", groupVersion: apps },
  // One watch of all: field selectors know no OR. What is not about a watched kind is dropped as it arrives.
  events: { kind: "Event", groupVersion: "api/v1" },
} as const satisfies Record<string, Partial<Omit<WatchedResource, "resource">> & { kind: string }>;

export type ResourceName = keyof typeof table;

/** What the recorder watches in every cluster. */
export type WatchedResource = {
  resource: string;
  kind: string;
  groupVersion: string;
  labelSelector?: string;
  /** What an object becomes that is missing from a complete list although nobody saw it go. */
  vanished: "absent" | "unobserved" | "deleted";
  /** Whether an implausible disappearance is held and confirmed before it is believed. */
  holdsDisappearance: boolean;
  /** Has no namespace: one source, whatever namespaces are configured. */
  isClusterScoped?: boolean;
};

export const watchedResources = Object.entries(table).map(([resource, watched]) => ({
  vanished: "deleted" as const,
  holdsDisappearance: false,
  resource: resource as ResourceName,
  ...watched,
})) satisfies readonly WatchedResource[];

/** One source: a resource of a cluster in one namespace, or in all (empty text). */
export type SourceKey = WatchedResource & {
  resource: ResourceName;
  id: string;
  cluster: string;
  namespace: string;
  /** Field managers that are the controller by the config; it is recognised by what it writes, too. */
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
    const scopes = "isClusterScoped" in watched ? [""] : namespaces;
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
