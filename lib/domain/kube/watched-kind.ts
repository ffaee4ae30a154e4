import { type ApiResource, deployments, replicaSets } from "./api-resource.ts";

/** The state of an object that the cluster no longer lists; `unobserved` if its end may have been missed. */
export type GonePresence = "absent" | "unobserved" | "deleted";

/** A kind that the recorder watches. */
export type WatchedKind = {
  kind: string;
  resource: ApiResource;
  /** The kind that its objects are recorded as. */
  recordedAs: RecordedAs;
  labelSelector?: string;
  /** The state of an object that is missing from a complete list without an observed deletion; `deleted` by default. */
  vanished?: GonePresence;
  /** Whether an implausible disappearance is held until it is confirmed. */
  holdsDisappearance?: boolean;
  /** Has no namespace: one source, regardless of the configured namespaces. */
  isClusterScoped?: boolean;
};

export type RecordedAs =
  | "rollout"
  | "analysis-run"
  | "experiment"
  | "analysis-template"
  | "replica-set"
  | "pod"
  | "deployment"
  | "event";

export const podHashLabel = "rollouts-pod-template-hash";

const core = { group: "", version: "v1" };

/** The kinds that are watched for all providers, before and after their own: ReplicaSets are listed before rollouts. */
export const sharedKinds: { readonly first: readonly WatchedKind[]; readonly last: readonly WatchedKind[] } = {
  first: [{ kind: "ReplicaSet", resource: replicaSets, recordedAs: "replica-set", labelSelector: podHashLabel }],
  last: [
    { kind: "Pod", resource: { ...core, name: "pods" }, recordedAs: "pod", labelSelector: podHashLabel },
    // All Deployments, reduced to a few numbers and the pod template. No selector finds those that a workloadRef names,
    // metadata lacks the replicas, and a Deployment must already be recorded when a rollout begins to refer to it.
    { kind: "Deployment", resource: deployments, recordedAs: "deployment" },
    // One watch for all: field selectors have no OR. Events about kinds that are not watched are dropped on arrival.
    { kind: "Event", resource: { ...core, name: "events" }, recordedAs: "event" },
  ],
};
