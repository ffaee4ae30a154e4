/** What the recorder watches in every cluster. */
export type WatchedResource = {
  resource: "rollouts" | "analysisruns" | "experiments" | "replicasets";
  kind: "Rollout" | "AnalysisRun" | "Experiment" | "ReplicaSet";
  groupVersion: string;
  labelSelector?: string;
  /** What an object becomes that is missing from a complete list although nobody saw it go. */
  vanished: "absent" | "unobserved" | "deleted";
  /** Whether an implausible disappearance is held and confirmed before it is believed. */
  holdsDisappearance: boolean;
};

export const watchedResources: readonly WatchedResource[] = [
  {
    resource: "replicasets",
    kind: "ReplicaSet",
    groupVersion: "apis/apps/v1",
    labelSelector: "rollouts-pod-template-hash",
    vanished: "deleted",
    holdsDisappearance: false,
  },
  {
    resource: "experiments",
    kind: "Experiment",
    groupVersion: "apis/argoproj.io/v1alpha1",
    vanished: "unobserved",
    holdsDisappearance: false,
  },
  {
    resource: "rollouts",
    kind: "Rollout",
    groupVersion: "apis/argoproj.io/v1alpha1",
    vanished: "absent",
    holdsDisappearance: true,
  },
  {
    resource: "analysisruns",
    kind: "AnalysisRun",
    groupVersion: "apis/argoproj.io/v1alpha1",
    vanished: "unobserved",
    holdsDisappearance: false,
  },
];

/** One source: a resource of a cluster in one namespace, or in all (empty text). */
export type SourceKey = WatchedResource & { id: string; cluster: string; namespace: string };

export function sourcesOf(cluster: { name: string; namespaces?: readonly string[] | undefined }): SourceKey[] {
  const namespaces = cluster.namespaces ?? [""];
  return namespaces.flatMap((namespace) =>
    watchedResources.map((watched) => ({
      ...watched,
      cluster: cluster.name,
      namespace,
      id: [cluster.name, watched.resource, ...(namespace === "" ? [] : [namespace])].join("/"),
    })),
  );
}

export function pathOf(source: Pick<SourceKey, "groupVersion" | "resource" | "namespace">): string {
  const scope = source.namespace === "" ? "" : `/namespaces/${encodeURIComponent(source.namespace)}`;
  return `/${source.groupVersion}${scope}/${source.resource}`;
}
