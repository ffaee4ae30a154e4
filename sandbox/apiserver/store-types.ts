/** What the API server stores and what the controllers see: plain Kubernetes objects. */
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

/** What a caller hands in: the server fills uid, resourceVersion, generation and creationTimestamp. */
export type KubeObjectInput = Omit<KubeObject, "metadata"> & { metadata: Partial<ObjectMeta> & { name: string } };

export type StoreEvent = {
  type: "ADDED" | "MODIFIED" | "DELETED";
  /** The plural resource name, such as "rollouts". */
  resource: string;
  object: KubeObject;
  /** The object as it was before, where there was one. */
  previous?: KubeObject;
};

export type WriteOptions = {
  /** Field manager, written to managedFields with the time and subresource. */
  manager: string;
  subresource?: "status";
};

/**
 * The object store behind the API server. Objects handed out are frozen snapshots: copy before changing.
 * Errors are `ApiError` (status, reason, message) as a Kubernetes API server words them.
 */
export type Store = {
  list(resource: string, namespace?: string): KubeObject[];
  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  /** 409 AlreadyExists where the name is taken. Status is dropped where the resource has a status subresource. */
  create(resource: string, object: KubeObjectInput, options: WriteOptions): KubeObject;
  /**
   * Replaces the object. 404 NotFound; 409 Conflict where metadata.resourceVersion is set and not the current one.
   * Subresource rules as upstream: without `subresource` a change of status of a resource that has the status
   * subresource is ignored; with it only status is taken. A write that changes nothing keeps the resourceVersion
   * and raises no event.
   */
  update(resource: string, object: KubeObject, options: WriteOptions): KubeObject;
  /** Deletes the object and, in the background, whatever it owns (by ownerReferences uid). */
  delete(resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  subscribe(listener: (event: StoreEvent) => void): () => void;
};
