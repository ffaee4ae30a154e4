import { type Problem, type ProblemCode, problemStatus } from "#lib/contract/problem.ts";
import { isClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { isDatabaseTrouble, isUnwritableError } from "#lib/server/platform/db/database-errors.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

const titles = {
  invalid_request: "The request is not valid",
  reason_required: "A reason is required",
  unauthenticated: "Not signed in",
  forbidden: "Not allowed",
  reauthentication_required: "A fresh sign-in is required",
  cluster_refused: "The cluster refused",
  not_found: "Not found",
  method_not_allowed: "Method not allowed",
  stale_view: "The rollout has changed",
  not_allowed_now: "Not possible now",
  source_stale: "The source is stale",
  frozen: "Frozen",
  barrier: "Waiting for the rest of the set",
  second_person_required: "A second person is required",
  ticket_refused: "The ticket check refused",
  conflict: "Conflict",
  read_only: "Read-only",
  config_error: "The configuration has an error",
  payload_too_large: "The request is too large",
  unsupported_media_type: "JSON is required",
  rate_limited: "Too many requests",
  internal: "Internal error",
  audit_unavailable: "The audit log is unavailable",
  unavailable: "Unavailable",
} as const satisfies Record<ProblemCode, string>;

/** Makes the RFC 9457 document of a refusal. */
export function problemOf({ error, requestId }: { error: ServiceError; requestId: string }): Problem {
  const { retryAfterSeconds: _retry, allow: _allow, ...members } = error.extra;
  return {
    type: `urn:gatehouse:problem:${error.code}`,
    title: titles[error.code],
    status: problemStatus[error.code],
    code: error.code,
    detail: error.message,
    requestId,
    ...members,
  };
}

/**
 * Turns anything thrown into a ServiceError. A cluster or database that is unreachable, or a database that refuses
 * writes, is `unavailable`; an unknown error is `internal`, without its text. `isExpected` says whether the error was
 * meant for the caller.
 */
export function asServiceError(error: unknown): { error: ServiceError; isExpected: boolean; isDatabase: boolean } {
  if (isServiceError(error)) return { error, isExpected: true, isDatabase: isDatabaseTrouble(error.cause) };
  if (isClusterUnreachableError(error)) {
    const detail = `Cluster ${error.cluster} does not answer; try again in a moment.`;
    return {
      error: new ServiceError("unavailable", detail, { retryAfterSeconds: 2 }),
      isExpected: false,
      isDatabase: false,
    };
  }
  if (isDatabaseTrouble(error)) {
    const detail = isUnwritableError(error)
      ? "The database does not accept writes at the moment; reading still works."
      : "The database cannot be reached; try again in a moment.";
    return {
      error: new ServiceError("unavailable", detail, { retryAfterSeconds: 2 }),
      isExpected: false,
      isDatabase: true,
    };
  }
  const detail = "Internal error. The log has the details under this request id.";
  return { error: new ServiceError("internal", detail), isExpected: false, isDatabase: false };
}

type Failure = { thrown: unknown; requestId: string; runtime: WebRuntime | undefined };

/** Returns the refusal that the caller is told; counts and logs what it may not see. */
export function refusalOf({ thrown, requestId, runtime }: Failure): ServiceError {
  const { error, isExpected, isDatabase } = asServiceError(thrown);
  if (isDatabase) runtime?.metrics.databaseErrors.inc();
  if (isUnwritableError(thrown)) runtime?.health.suspectWrites();
  if (!isExpected) runtime?.log.error({ err: thrown, requestId, code: error.code }, "request failed");
  return error;
}

/** Responds with the problem, and logs what the caller may not see. */
export function problemResponse({ thrown, requestId, runtime }: Failure): Response {
  const error = refusalOf({ thrown, requestId, runtime });
  const problem = problemOf({ error, requestId });
  const { retryAfterSeconds: retry, allow } = error.extra;
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      "x-request-id": requestId,
      ...(problem.status === 401 ? { "www-authenticate": "Bearer" } : {}),
      ...(retry === undefined ? {} : { "retry-after": String(retry) }),
      ...(allow === undefined ? {} : { allow: allow.join(", ") }),
    },
  });
}
