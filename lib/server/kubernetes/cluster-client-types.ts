/**
 * Whom a request is sent for. Never empty, never a `system:` name. `impersonation`: it is sent as this user with these
 * groups. `serviceAccount`: it is sent with Gatehouse's own rights, which the cluster's config must allow, and the
 * name only stands in the user agent.
 */
export type ClusterIdentity = {
  mode: "impersonation" | "serviceAccount";
  username: string;
  groups: readonly string[];
};

export type ClusterRequest = {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Absolute API path, such as `/apis/argoproj.io/v1alpha1/namespaces/a/rollouts/b`. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  contentType?: "application/json" | "application/merge-patch+json" | "application/json-patch+json";
  body?: unknown;
  /** Absent: as Gatehouse itself. The client refuses to change anything so. */
  as?: ClusterIdentity;
  signal?: AbortSignal;
  timeoutMs?: number;
};

/**
 * The parsed answer of an API server. `date` is the Date header, for clock skew; `sentWith` tells the credentials that
 * the request carried, to be compared with `credentials()`.
 */
export type ClusterResponse = {
  status: number;
  json: unknown;
  text: string;
  date: Date | undefined;
  sentWith?: string;
};

/**
 * One Kubernetes API server. `request` resolves for every HTTP answer, whatever its status, and throws
 * `ClusterUnreachableError` where none came (`sent` tells whether the request may have reached the server).
 */
export type ClusterClient = {
  readonly name: string;
  readonly server: string;
  request(request: ClusterRequest): Promise<ClusterResponse>;
  /** Opens a watch and yields its lines as text; ends when the server ends it, throws where it breaks. */
  watch(
    request: Omit<ClusterRequest, "method" | "body" | "contentType">,
  ): Promise<
    | { status: 200; date: Date | undefined; lines: AsyncIterable<string>; close(): void; sentWith?: string }
    | { status: number; date: Date | undefined; text: string; sentWith?: string }
  >;
  /** A text that changes when the credentials do. Throws where they cannot be read. */
  credentials(): Promise<string>;
  close(): Promise<void>;
};
