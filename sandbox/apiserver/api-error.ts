import { hasBrand } from "#lib/util/has-brand.ts";
import type { Resource } from "./resources.ts";

export type StatusCause = { reason: string; message: string; field?: string };

export type StatusDetails = {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
};

/** The `Status` object that represents a failure in a Kubernetes API response. */
export type FailureStatus = {
  kind: "Status";
  apiVersion: "v1";
  metadata: { continue?: string };
  status: "Failure";
  message: string;
  reason?: string;
  details?: StatusDetails;
  code: number;
};

type ErrorParts = {
  code: number;
  reason?: string;
  message: string;
  details?: StatusDetails;
  continueToken?: string;
};

/**
 * A refusal by the API server: `code` is the HTTP status, `reason` the machine-readable word, `toStatus()` the body.
 */
export class ApiError extends Error {
  readonly brand = "api-error";
  readonly code: number;
  readonly reason: string | undefined;
  readonly details: StatusDetails | undefined;
  readonly continueToken: string | undefined;

  constructor(parts: ErrorParts) {
    super(parts.message);
    this.name = "ApiError";
    this.code = parts.code;
    this.reason = parts.reason;
    this.details = parts.details;
    this.continueToken = parts.continueToken;
  }

  /** Returns the HTTP status; the same number as `code`. */
  get status(): number {
    return this.code;
  }

  toStatus(): FailureStatus {
    return {
      kind: "Status",
      apiVersion: "v1",
      metadata: this.continueToken === undefined ? {} : { continue: this.continueToken },
      status: "Failure",
      message: this.message,
      ...(this.reason === undefined ? {} : { reason: this.reason }),
      ...(this.details === undefined ? {} : { details: this.details }),
      code: this.code,
    };
  }
}

export function isApiError(error: unknown): error is ApiError {
  return hasBrand(error, "api-error");
}

/** Returns upstream's name of a resource in messages: "rollouts.argoproj.io", or "pods" in the core group. */
export function qualifiedName(resource: { group: string; plural: string }): string {
  return resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
}

function detailsOf(resource: Resource, name: string): StatusDetails {
  return { name, ...(resource.group === "" ? {} : { group: resource.group }), kind: resource.plural };
}

export function notFound(resource: Resource, name: string): ApiError {
  return new ApiError({
    code: 404,
    reason: "NotFound",
    message: `${qualifiedName(resource)} "${name}" not found`,
    details: detailsOf(resource, name),
  });
}

export function alreadyExists(resource: Resource, name: string): ApiError {
  return new ApiError({
    code: 409,
    reason: "AlreadyExists",
    message: `${qualifiedName(resource)} "${name}" already exists`,
    details: detailsOf(resource, name),
  });
}

export function conflict(resource: Resource, name: string): ApiError {
  const advice = "the object has been modified; please apply your changes to the latest version and try again";
  return new ApiError({
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${qualifiedName(resource)} "${name}": ${advice}`,
    details: detailsOf(resource, name),
  });
}

/** Makes the error of a failed precondition of a DELETE; upstream names the kind here, not the plural. */
export function preconditionFailed(resource: Resource, name: string, why: string): ApiError {
  const kind = resource.group === "" ? resource.kind : `${resource.kind}.${resource.group}`;
  return new ApiError({
    code: 409,
    reason: "Conflict",
    message: `Operation cannot be fulfilled on ${kind} "${name}": ${why}`,
    details: { ...detailsOf(resource, name), kind: resource.kind },
  });
}

export function badRequest(message: string): ApiError {
  return new ApiError({ code: 400, reason: "BadRequest", message });
}

/** Makes a 422 with one cause. `kind` is the word before the name: the kind, or the plural for a PUT. */
export function invalid(parts: {
  group: string;
  kind: string;
  name: string;
  field: string;
  message: string;
  reason?: string;
}): ApiError {
  const subject = parts.group === "" ? parts.kind : `${parts.kind}.${parts.group}`;
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: `${subject} "${parts.name}" is invalid: ${parts.field}: ${parts.message}`,
    details: {
      ...(parts.name === "" ? {} : { name: parts.name }),
      ...(parts.group === "" ? {} : { group: parts.group }),
      kind: parts.kind,
      causes: [{ reason: parts.reason ?? "FieldValueInvalid", message: parts.message, field: parts.field }],
    },
  });
}

/** Makes upstream's response to any JSON patch operation that cannot be applied, including a failing `test`. */
export function patchRejected(): ApiError {
  return new ApiError({
    code: 422,
    reason: "Invalid",
    message: "the server rejected our request due to an error in our request",
    details: {},
  });
}

export function expired(message: string, continueToken?: string): ApiError {
  return new ApiError({
    code: 410,
    reason: "Expired",
    message,
    ...(continueToken === undefined ? {} : { continueToken }),
  });
}

export function internalError(message: string): ApiError {
  return new ApiError({
    code: 500,
    reason: "InternalError",
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ reason: "", message }] },
  });
}
