import type { ApiResource } from "./api-resource.ts";

/** What becomes of an object that the cluster no longer shows; `unobserved` if its end may have been missed. */
export type GonePresence = "absent" | "unobserved" | "deleted";

/** A kind that the recorder watches. */
export type WatchedKind = {
  kind: string;
  resource: ApiResource;
  /** What its objects are recorded as. */
  recordedAs: RecordedAs;
  labelSelector?: string;
  /** What becomes of an object that is missing from a complete list although nobody saw it go; `deleted` by default. */
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
