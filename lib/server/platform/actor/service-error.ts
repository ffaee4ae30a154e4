import type { InvalidParam, ProblemCode, ViewChange } from "#lib/contract/problem.ts";
import { hasBrand } from "#lib/util/has-brand.ts";

/** What some codes carry in addition to their text; absent members are left out of the problem document. */
export type ServiceErrorExtra = {
  invalidParams?: InvalidParam[];
  actionId?: string;
  changes?: ViewChange[] | null;
  current?: unknown;
  /** Becomes the Retry-After header. */
  retryAfterSeconds?: number;
  /** Becomes the Allow header of `method_not_allowed`. */
  allow?: readonly string[];
  cause?: unknown;
};

/**
 * A refusal or failure that the caller may see. `detail` says what happened, to which object, and what to do next.
 * Everything else that a service throws is answered as `internal`, without its text.
 */
export class ServiceError extends Error {
  readonly brand = "service-error";
  readonly code: ProblemCode;
  readonly extra: Omit<ServiceErrorExtra, "cause">;

  constructor(code: ProblemCode, detail: string, { cause, ...extra }: ServiceErrorExtra = {}) {
    super(detail, cause === undefined ? undefined : { cause });
    this.name = "ServiceError";
    this.code = code;
    this.extra = extra;
  }
}

export function isServiceError(error: unknown): error is ServiceError {
  return hasBrand(error, "service-error");
}
