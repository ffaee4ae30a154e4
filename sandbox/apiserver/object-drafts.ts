import { computeManagedFields } from "./managed-fields.ts";
import { apiVersionOf, type Resource } from "./resources.ts";
import { isEqualJson, sharedCopy } from "./shared-copy.ts";
import type { KubeObject, KubeObjectInput, ObjectMeta, WriteOptions } from "./store-types.ts";

type Draft = {
  resource: Resource;
  options: WriteOptions;
  time: string;
};

/** Returns the object that a create makes, still without a resourceVersion. */
export function draftCreate(parts: Draft & { input: KubeObjectInput; uid: string }): KubeObject {
  const { resource, input } = parts;
  const { apiVersion: _apiVersion, kind: _kind, metadata, status, ...rest } = input as KubeObject;
  const draft: KubeObject = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: {
      name: metadata.name,
      generateName: metadata.generateName,
      namespace: resource.namespaced ? metadata.namespace : undefined,
      uid: parts.uid,
      resourceVersion: "",
      generation: resource.hasGeneration ? 1 : undefined,
      creationTimestamp: parts.time,
      ...writableMetadata(metadata),
    },
    ...rest,
    ...initialStatus(resource, status),
    ...(resource.plural === "pods" ? { status: { phase: "Pending" } } : {}),
  };
  if (resource.plural === "namespaces") addNamespaceDefaults(draft);
  const object = sharedCopy(draft);
  return withManagedFields({ ...parts, before: undefined, after: object });
}

/** Returns the metadata that writers control; clients may send null for an absent field. */
function writableMetadata(metadata: Partial<ObjectMeta>): Partial<ObjectMeta> {
  return {
    labels: metadata.labels ?? undefined,
    annotations: metadata.annotations ?? undefined,
    ownerReferences: metadata.ownerReferences ?? undefined,
    finalizers: metadata.finalizers ?? undefined,
  };
}

function initialStatus(resource: Resource, status: Record<string, unknown> | undefined): Partial<KubeObject> {
  return resource.hasStatus || status === undefined ? {} : { status };
}

function addNamespaceDefaults(draft: KubeObject): void {
  draft.metadata.labels = { ...draft.metadata.labels, "kubernetes.io/metadata.name": draft.metadata.name };
  draft.spec = { finalizers: ["kubernetes"] };
  draft.status = { phase: "Active" };
}

/**
 * Returns the object that an update makes of `before`, or `before` itself if nothing changes. On the main path, status
 * of a resource with a status subresource is ignored; on /status, everything but status is. Generation follows
 * upstream: any change except to metadata (and to status, if that is a subresource) increments it.
 */
export function draftUpdate(parts: Draft & { before: KubeObject; input: KubeObject }): KubeObject {
  const { resource, before, input } = parts;
  const after = sharedCopy(
    parts.options.subresource === "status" ? statusDraft(before, input) : mainDraft(parts),
    before,
  );
  if (after === before) return before;
  const generation = before.metadata.generation;
  if (resource.hasGeneration && generation !== undefined && isContentChanged(resource, before, after)) {
    const metadata: ObjectMeta = { ...after.metadata, generation: generation + 1 };
    return withManagedFields({ ...parts, before, after: { ...after, metadata } });
  }
  return withManagedFields({ ...parts, before, after });
}

function mainDraft({
  resource,
  before,
  input,
}: {
  resource: Resource;
  before: KubeObject;
  input: KubeObject;
}): KubeObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, status, ...rest } = input;
  return {
    apiVersion: before.apiVersion,
    kind: before.kind,
    metadata: {
      ...before.metadata,
      ...writableMetadata(metadata),
    },
    ...rest,
    status: resource.hasStatus ? before.status : status,
  };
}

function statusDraft(before: KubeObject, input: KubeObject): KubeObject {
  return { ...before, status: input.status };
}

function isContentChanged(resource: Resource, before: KubeObject, after: KubeObject): boolean {
  const content = ({ metadata: _metadata, status, ...rest }: KubeObject): unknown =>
    resource.hasStatus ? rest : { ...rest, status };
  return !isEqualJson(content(before), content(after));
}

function withManagedFields(parts: Draft & { before: KubeObject | undefined; after: KubeObject }): KubeObject {
  const { before, after, options, time } = parts;
  const managedFields = computeManagedFields(before, after, {
    manager: options.manager,
    time,
    ...(options.subresource === undefined ? {} : { subresource: options.subresource }),
  });
  return { ...after, metadata: { ...after.metadata, managedFields } };
}

const EVENT_TIMES = ["firstTimestamp", "lastTimestamp", "eventTime"];

/** Returns an Event as a component would write it with the server's wrong clock. */
export function skewEvent(input: KubeObjectInput, offsetMs: number): KubeObjectInput {
  if (offsetMs === 0) return input;
  const times = EVENT_TIMES.flatMap((field) => {
    const time = Date.parse(String(input[field]));
    return Number.isNaN(time) ? [] : [[field, new Date(time + offsetMs).toISOString()]];
  });
  return { ...input, ...Object.fromEntries(times) };
}
