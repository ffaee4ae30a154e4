import { z } from "zod";
import { ownManager } from "#lib/domain/acting/own-identity.ts";
import { type ApiResource, formatResourcePath } from "#lib/domain/kube/api-resource.ts";
import type { ClusterReader, ReadFailure } from "#lib/domain/kube/cluster-reader.ts";
import { hideAddresses, redactBeginning } from "#lib/domain/storable/redact-text.ts";
import type {
  ClusterClient,
  ClusterIdentity,
  ClusterRequest,
  ClusterResponse,
} from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { isAnswerTooLargeError, isClusterUnreachableError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";

/** `date`: the cluster's own time when it answered. */
export type FetchedObject = { kind: "found"; object: unknown; date: Date | undefined } | ReadFailure;

const readTimeoutMs = 15_000;
/** A PATCH can hang for 34 s when etcd is unavailable; we stop waiting before that, and the outcome is unknown. */
const patchTimeoutMs = 20_000;
const maxMessageLength = 300;

/** Builds the API path of one object, or of all objects in a namespace. */
export function objectPath({
  resource,
  namespace,
  name,
}: {
  resource: ApiResource;
  namespace: string;
  name?: string;
}): string {
  const all = formatResourcePath(resource, namespace);
  return name === undefined ? all : `${all}/${encodeURIComponent(name)}`;
}

type Reading = { client: ClusterClient; path: string; as?: ClusterIdentity | undefined };

/** Reads one object, as the identity if one is given. Never throws for cluster errors. */
export async function fetchObject({ client, path, as }: Reading): Promise<FetchedObject> {
  return toFetched(() => client.request({ method: "GET", path, as, timeoutMs: readTimeoutMs }));
}

async function toFetched(ask: () => Promise<ClusterResponse>): Promise<FetchedObject> {
  let response: ClusterResponse;
  try {
    response = await ask();
  } catch (error) {
    if (!isClusterUnreachableError(error)) throw error;
    return { kind: "unreachable", message: hideAddresses(error.message) };
  }
  if (response.status === 404) return { kind: "missing" };
  if (response.status === 403) return { kind: "refused", message: readStatusMessage(response) };
  if (response.status !== 200)
    return { kind: "unreachable", message: `the cluster answered ${response.status}: ${readStatusMessage(response)}` };
  return { kind: "found", object: response.json, date: response.date };
}

const List = z.looseObject({
  items: z.array(z.record(z.string(), z.unknown())),
  metadata: z.looseObject({ continue: z.string().nullish() }).nullish(),
});
const pageSize = 100;
const most = { items: 5000, pages: 200, bytes: 64 * 1024 * 1024 };

/**
 * Reads the objects that a label selector matches, page by page. Items of a list have no kind, so it is added again.
 */
async function fetchList({
  client,
  path,
  as,
  kind,
  labelSelector,
}: Reading & { kind: string; labelSelector: string }): Promise<{ kind: "found"; items: unknown[] } | ReadFailure> {
  const items: unknown[] = [];
  let next: string | undefined;
  let limit = pageSize;
  let bytes = 0;
  for (let page = 0; page < most.pages && items.length < most.items && bytes < most.bytes; page += 1) {
    const query = { ...(labelSelector === "" ? {} : { labelSelector }), continue: next };
    const fetched = await toFetched(async () => {
      const read = await requestPage({ client, path, as, query, limit, timeoutMs: readTimeoutMs });
      limit = read.limit;
      bytes += read.answer.text.length;
      return read.answer;
    });
    if (fetched.kind !== "found") return fetched;
    const list = List.safeParse(fetched.object);
    if (!list.success) return { kind: "unusable", message: "the cluster's answer is not a list" };
    items.push(...list.data.items.map((item) => ({ kind, ...item })));
    next = list.data.metadata?.continue || undefined;
    if (next === undefined) return { kind: "found", items };
  }
  return {
    kind: "unusable",
    message: `there are more than ${most.items} objects, or more than ${most.bytes / 1024 / 1024} MiB of them`,
  };
}

/** Returns a reader for the identity, or for Gatehouse itself without one. */
export function readerOf({ client, as }: Pick<Reading, "client" | "as">): ClusterReader {
  return {
    get: (ref) => fetchObject({ client, as, path: objectPath(ref) }),
    list: ({ resource, namespace, kind, labelSelector }) =>
      fetchList({ client, as, path: objectPath({ resource, namespace }), kind, labelSelector }),
  };
}

export type PatchAnswer =
  | { kind: "ok"; object: unknown }
  | { kind: "conflict"; message: string }
  | { kind: "missing"; message: string }
  | { kind: "refused"; status: number; message: string }
  /** The answer is inconclusive: the patch may have been applied. */
  | { kind: "unknown"; message: string }
  | { kind: "not-sent"; message: string };

/** Sends one merge patch with the resourceVersion as precondition. */
export async function sendPatch({
  client,
  path,
  as,
  patch,
  resourceVersion,
  auditId,
}: {
  client: ClusterClient;
  /** Path of the object, without subresource. */
  path: string;
  as: ClusterIdentity;
  patch: { subresource: "" | "status"; body: Record<string, unknown> };
  resourceVersion: string;
  /** Of the action: its row has it before anything is sent. */
  auditId: string;
}): Promise<PatchAnswer> {
  let response: ClusterResponse;
  try {
    response = await client.request({
      method: "PATCH",
      path: patch.subresource === "" ? path : `${path}/${patch.subresource}`,
      query: { fieldManager: ownManager },
      contentType: "application/merge-patch+json",
      body: { ...patch.body, metadata: { resourceVersion } },
      auditId,
      as,
      timeoutMs: patchTimeoutMs,
    });
  } catch (error) {
    if (!isClusterUnreachableError(error)) throw error;
    return { kind: error.sent ? "unknown" : "not-sent", message: hideAddresses(error.message) };
  }
  const message = readStatusMessage(response);
  if (response.status >= 200 && response.status < 300) return { kind: "ok", object: response.json };
  if (response.status === 409) return { kind: "conflict", message };
  if (response.status === 404) return { kind: "missing", message };
  if (response.status === 429) return { kind: "not-sent", message: `the cluster is too busy: ${message}` };
  if (response.status >= 400 && response.status < 500) return { kind: "refused", status: response.status, message };
  return { kind: "unknown", message: `the cluster answered ${response.status}: ${message}` };
}

/** Returns the API server's own message, short and on one line: messages may repeat a whole object. */
export function readStatusMessage({ json, text, status }: Pick<ClusterResponse, "json" | "text" | "status">): string {
  const said =
    typeof json === "object" && json !== null && "message" in json && typeof json.message === "string"
      ? json.message
      : text;
  const line = redactBeginning(said.replace(/\s+/g, " ").trim());
  if (line === "" || line.startsWith("<")) return `status ${status}`;
  return line.length <= maxMessageLength ? line : `${line.slice(0, maxMessageLength)}…`;
}

/**
 * The largest page of a list. A larger page is requested again with fewer objects. Each source of a
 * cluster may read one page while another is being stored, so this limits the memory that a cluster can take.
 */
export const maxPageBytes = 16 * 1024 * 1024;

/**
 * Asks for one page of a list, with fewer objects each time that the page is too large; a page of one object that is too
 * large throws as any answer does. `limit` is the number with which the page came: ask for the next one with it.
 */
export async function requestPage({
  client,
  limit,
  query,
  ...request
}: Omit<ClusterRequest, "method" | "body" | "maxBytes"> & { client: ClusterClient; limit: number }): Promise<{
  answer: ClusterResponse;
  limit: number;
}> {
  for (let asked = limit; ; asked = Math.floor(asked / 4) || 1) {
    try {
      const answer = await client.request({
        ...request,
        method: "GET",
        query: { ...query, limit: asked },
        maxBytes: maxPageBytes,
      });
      return { answer, limit: asked };
    } catch (error) {
      if (!isAnswerTooLargeError(error) || asked <= 1) throw error;
    }
  }
}
