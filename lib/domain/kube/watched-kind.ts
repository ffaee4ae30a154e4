import type { ApiResource } from "./api-resource.ts";

/** A kind that the recorder watches. */
export type WatchedKind = {
  kind: string;
  resource: ApiResource;
  /** What is made of its objects. */
  recordedAs: RecordedAs;
  labelSelector?: string;
  /** What an object becomes that is missing from a complete list although nobody saw it go; `deleted` by default. */
  vanished?: "absent" | "unobserved" | "deleted";
  /** Whether an implausible disappearance is held and confirmed before it is believed. */
  holdsDisappearance?: boolean;
  /** Has no namespace: one source, whatever namespaces are configured. */
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
