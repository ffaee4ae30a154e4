import { ApiError } from "./api-error.ts";

/** Types of the objects that the API server stores and the controllers see: plain Kubernetes objects. */
export type OwnerReference = {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
};

export type ObjectMeta = {
  name: string;
  generateName?: string;
  namespace?: string;
  uid: string;
  resourceVersion: string;
  generation?: number;
  creationTimestamp: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  finalizers?: string[];
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  managedFields?: unknown[];
};

export type KubeObject = {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  [field: string]: unknown;
};

/** An object as a caller passes it in: the server fills uid, resourceVersion, generation and creationTimestamp. */
export type KubeObjectInput = Omit<KubeObject, "metadata"> & { metadata: Partial<ObjectMeta> & { name: string } };

export type StoreEvent = {
  type: "ADDED" | "MODIFIED" | "DELETED";
  /** The plural resource name, such as "rollouts". */
  resource: string;
  object: KubeObject;
  /** The object before the change, if it existed. */
  previous?: KubeObject;
};

export type WriteOptions = {
  /** Field manager, written to managedFields with the time and subresource. */
  manager: string;
  subresource?: "status";
};

/**
 * The object store behind the API server. Returned objects are frozen snapshots: copy before changing. Errors are
 * `ApiError` (status, reason, message), in the words of a Kubernetes API server.
 */
export type Store = {
  list(resource: string, namespace?: string): KubeObject[];
  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  /** Throws 409 AlreadyExists if the name is taken. Drops status if the resource has a status subresource. */
  create(resource: string, object: KubeObjectInput, options: WriteOptions): KubeObject;
  /**
   * Replaces the object. Throws 404 NotFound, or 409 Conflict if metadata.resourceVersion is set and stale. Subresource
   * rules as upstream: without `subresource`, a change of status is ignored for a resource with the status subresource;
   * with it, only status is taken. A write that changes nothing keeps the resourceVersion and emits no event.
   */
  update(resource: string, object: KubeObject, options: WriteOptions): KubeObject;
  /** Deletes the object and, in the background, its dependents (by ownerReferences uid). */
  delete(resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  subscribe(listener: (event: StoreEvent) => void): () => void;
};

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
