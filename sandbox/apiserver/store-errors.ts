import { ApiError } from "./api-error.ts";

/** 404 of a create in a namespace that is not there. */
export function missingNamespace(namespace: string): ApiError {
  return new ApiError({
    code: 404,
    reason: "NotFound",
    message: `namespaces "${namespace}" not found`,
    details: { name: namespace, kind: "namespaces" },
  });
}

/** 403 of deleting a namespace that a cluster cannot be without. */
export function undeletable(name: string): ApiError {
  return new ApiError({
    code: 403,
    reason: "Forbidden",
    message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    details: { name, kind: "namespaces" },
  });
}
