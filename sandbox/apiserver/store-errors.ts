import { ApiError } from "./api-error.ts";

/** Makes the 404 of a create in a missing namespace. */
export function missingNamespace(namespace: string): ApiError {
  return new ApiError({
    code: 404,
    reason: "NotFound",
    message: `namespaces "${namespace}" not found`,
    details: { name: namespace, kind: "namespaces" },
  });
}

/** Makes the 403 of deleting a namespace that a cluster requires. */
export function undeletable(name: string): ApiError {
  return new ApiError({
    code: 403,
    reason: "Forbidden",
    message: `namespaces "${name}" is forbidden: this namespace may not be deleted`,
    details: { name, kind: "namespaces" },
  });
}
