/**
 * The identity that a request is sent for. Never empty, never a `system:` name. `groups`: sent as the user that all
 * people share, with these groups, which alone give rights; the name is an extra. `user`: sent as a user of this name
 * with these groups, which the cluster's config must allow. `serviceAccount`: sent with Gatehouse's own rights, which
 * the config must allow too; the name appears only in the user agent. `own`: Gatehouse acts on its own behalf, such as
 * for a hold.
 */
export type ClusterIdentity = {
  mode: "groups" | "user" | "serviceAccount" | "own";
  username: string;
  groups: readonly string[];
};
/** The modes of requests for people. */
export type PersonMode = Exclude<ClusterIdentity["mode"], "own">;

export type ClusterRequest = {
  method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** Absolute API path, such as `/apis/argoproj.io/v1alpha1/namespaces/a/rollouts/b`. */
  path: string;
  query?: Record<string, string | number | boolean | undefined>;
  contentType?: "application/json" | "application/merge-patch+json" | "application/json-patch+json";
  body?: unknown;
  /** Names the request in the API server's audit events; absent: the API server chooses. */
  auditId?: string;
  /** Absent: as Gatehouse itself. The client refuses to change anything that way. */
  as?: ClusterIdentity;
  signal?: AbortSignal;
  timeoutMs?: number;
  /** The most bytes read of the answer; by default 4 MiB, enough for one object. */
  maxBytes?: number;
};

/**
 * The parsed response of an API server. `date` is the Date header, for clock skew; `sentWith` identifies the
 * credentials of the request, to compare with `credentials()`.
 */
export type ClusterResponse = {
  status: number;
  json: unknown;
  text: string;
  date: Date | undefined;
  sentWith?: string;
};

/**
 * One Kubernetes API server. `request` resolves for every HTTP response, regardless of its status, and throws
 * `ClusterUnreachableError` if none came (`sent`: whether the request may have reached the server) or if it is too
 * large.
 */
export type ClusterClient = {
  readonly name: string;
  readonly server: string;
  request(request: ClusterRequest): Promise<ClusterResponse>;
  /** Opens a watch and yields its lines as text; ends when the server ends it, throws if it breaks. */
  watch(
    request: Omit<ClusterRequest, "method" | "body" | "contentType">,
  ): Promise<
    | { status: 200; date: Date | undefined; lines: AsyncIterable<string>; close(): void; sentWith?: string }
    | { status: number; date: Date | undefined; text: string; sentWith?: string }
  >;
  /**
   * Opens an answer that may never end and yields its bytes, at the pace of the reader; `close` ends the connection.
   * Waits for the first byte as long as the server takes: with nothing to send, an API server sends no headers either.
   */
  stream(
    request: Pick<ClusterRequest, "path" | "query" | "as" | "signal">,
  ): Promise<
    | { status: 200; chunks: AsyncIterable<Uint8Array>; close(): void }
    | (Omit<ClusterResponse, "sentWith"> & { chunks?: never })
  >;
  /** Returns a text that changes when the credentials do. Throws if they cannot be read. */
  credentials(): Promise<string>;
  close(): Promise<void>;
};
