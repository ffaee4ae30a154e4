import type { ApiResource } from "./api-resource.ts";

/** Why something could not be read. `unusable`: it was read but makes no sense. */
export type ReadFailure =
  | { kind: "missing" }
  | { kind: "refused"; message: string }
  | { kind: "unusable"; message: string }
  | { kind: "unreachable"; message: string };

/** Reads a cluster with a particular identity. Never rejects: every error of the cluster resolves to a failure. */
export type ClusterReader = {
  get(ref: {
    resource: ApiResource;
    namespace: string;
    name: string;
  }): Promise<{ kind: "found"; object: unknown } | ReadFailure>;
  /** Lists all objects that the selector matches, each with its `kind`; an empty selector matches everything. */
  list(ref: {
    resource: ApiResource;
    kind: string;
    namespace: string;
    labelSelector: string;
  }): Promise<{ kind: "found"; items: unknown[] } | ReadFailure>;
};
