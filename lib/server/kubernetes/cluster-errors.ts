/** No answer came. `sent` tells whether the request may have reached the server (a write may then have happened). */
export class ClusterUnreachableError extends Error {
  readonly cluster: string;
  readonly sent: boolean;

  constructor({ cluster, sent, message, cause }: { cluster: string; sent: boolean; message: string; cause?: unknown }) {
    super(`cluster ${cluster}: ${message}`, { cause });
    this.name = "ClusterUnreachableError";
    this.cluster = cluster;
    this.sent = sent;
  }
}

/** A request was to be sent as somebody whom we never send as: nobody, or one of Kubernetes' own `system:` names. */
export class ForbiddenIdentityError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ForbiddenIdentityError";
  }
}

const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  "CERT_HAS_EXPIRED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "ERR_TLS_CERT_ALTNAME_INVALID",
]);

/** Wraps what the transport threw. */
export function asUnreachable({ cluster, error }: { cluster: string; error: unknown }): ClusterUnreachableError {
  if (error instanceof ClusterUnreachableError) return error;
  const code = codeOf(error);
  const text = error instanceof Error ? error.message : String(error);
  return new ClusterUnreachableError({
    cluster,
    sent: !neverSent.has(code),
    message: code === "" || text.includes(code) ? text : `${text} (${code})`,
    cause: error,
  });
}

function codeOf(error: unknown): string {
  if (error === null || typeof error !== "object") return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return "cause" in error ? codeOf(error.cause) : "";
}
