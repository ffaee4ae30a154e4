import { hasBrand } from "#lib/util/has-brand.ts";

/** No response came. `sent` tells whether the request may have reached the server (a write may then have happened). */
export class ClusterUnreachableError extends Error {
  readonly brand = "cluster-unreachable-error";
  readonly cluster: string;
  readonly sent: boolean;

  constructor({ cluster, sent, message, cause }: { cluster: string; sent: boolean; message: string; cause?: unknown }) {
    super(`cluster ${cluster}: ${message}`, { cause });
    this.name = "ClusterUnreachableError";
    this.cluster = cluster;
    this.sent = sent;
  }
}

export function isClusterUnreachableError(error: unknown): error is ClusterUnreachableError {
  return hasBrand(error, "cluster-unreachable-error");
}

/** The cluster sent more than Gatehouse reads of one answer. The rest was not read, and the connection was ended. */
export class AnswerTooLargeError extends ClusterUnreachableError {
  readonly isTooLarge = true;

  constructor({ cluster, maxBytes }: { cluster: string; maxBytes: number }) {
    const message = `the answer is larger than ${maxBytes / 1024 / 1024} MiB, the most that Gatehouse reads of one`;
    super({ cluster, sent: true, message });
  }
}

export function isAnswerTooLargeError(error: unknown): error is AnswerTooLargeError {
  return isClusterUnreachableError(error) && "isTooLarge" in error && error.isTooLarge === true;
}

/**
 * A request would have used an identity that we never send: an empty one, or one of Kubernetes' own `system:` names.
 */
export class ForbiddenIdentityError extends Error {
  readonly brand = "forbidden-identity-error";
  constructor(message: string) {
    super(message);
    this.name = "ForbiddenIdentityError";
  }
}

export function isForbiddenIdentityError(error: unknown): error is ForbiddenIdentityError {
  return hasBrand(error, "forbidden-identity-error");
}

/** Only errors from before a connection existed: routes can also be lost while waiting for a response. */
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

/** Wraps an error of the transport. */
export function asUnreachable({ cluster, error }: { cluster: string; error: unknown }): ClusterUnreachableError {
  if (isClusterUnreachableError(error)) return error;
  const code = fieldOf(error, "code");
  const isOnOpenConnection = ["read", "write"].includes(fieldOf(error, "syscall"));
  const text = error instanceof Error ? error.message : String(error);
  return new ClusterUnreachableError({
    cluster,
    sent: isOnOpenConnection || !neverSent.has(code),
    message: code === "" || text.includes(code) ? text : `${text} (${code})`,
    cause: error,
  });
}

function fieldOf(error: unknown, name: "code" | "syscall"): string {
  if (error === null || typeof error !== "object") return "";
  const value = (error as Record<string, unknown>)[name];
  if (typeof value === "string") return value;
  return "cause" in error ? fieldOf(error.cause, name) : "";
}
