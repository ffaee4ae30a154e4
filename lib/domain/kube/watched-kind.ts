import type { ApiResource } from "./api-resource.ts";

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
