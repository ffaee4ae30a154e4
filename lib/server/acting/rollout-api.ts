import type { ActionPatch } from "#lib/domain/argo/plan-types.ts";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/rollout-object.ts";
import { redactText } from "#lib/domain/history/redact-text.ts";
import type { ClusterClient, ClusterIdentity, ClusterResponse } from "#lib/server/kubernetes/cluster-client-types.ts";
import { ClusterUnreachableError } from "#lib/server/kubernetes/cluster-errors.ts";

export type RolloutAddress = { namespace: string; name: string };

export type FetchedRollout =
  | { kind: "found"; rollout: RolloutObject }
  | { kind: "missing" }
  | { kind: "refused"; message: string }
  | { kind: "unusable"; message: string }
  | { kind: "unreachable"; message: string };

const readTimeoutMs = 15_000;
/** A PATCH can hang for 34 s when etcd is away; by then nobody waits any more, and the outcome is unknown. */
const patchTimeoutMs = 20_000;
const maxMessageLength = 300;

export function rolloutPath({ namespace, name }: RolloutAddress): string {
  const [inNamespace, ofName] = [namespace, name].map(encodeURIComponent);
  return `/apis/argoproj.io/v1alpha1/namespaces/${inNamespace}/rollouts/${ofName}`;
}

/** Reads one Rollout, as the identity where one is given. Never throws for what a cluster may do. */
export async function fetchRollout({
  client,
  address,
  as,
}: {
  client: ClusterClient;
  address: RolloutAddress;
  as?: ClusterIdentity;
}): Promise<FetchedRollout> {
  let response: ClusterResponse;
  try {
    response = await client.request({ method: "GET", path: rolloutPath(address), as, timeoutMs: readTimeoutMs });
  } catch (error) {
    if (!(error instanceof ClusterUnreachableError)) throw error;
    return { kind: "unreachable", message: error.message };
  }
  if (response.status === 404) return { kind: "missing" };
  if (response.status === 403) return { kind: "refused", message: readStatusMessage(response) };
  if (response.status !== 200)
    return { kind: "unreachable", message: `the cluster answered ${response.status}: ${readStatusMessage(response)}` };
  const parsed = parseRollout(response.json);
  if (!parsed.ok) return { kind: "unusable", message: parsed.reason };
  const { metadata } = parsed.value;
  if (metadata.name !== address.name || metadata.namespace !== address.namespace)
    return { kind: "unusable", message: `the cluster answered with ${metadata.namespace}/${metadata.name}` };
  return { kind: "found", rollout: parsed.value };
}

export type PatchAnswer =
  | { kind: "ok"; object: unknown }
  | { kind: "conflict"; message: string }
  | { kind: "missing"; message: string }
  | { kind: "refused"; status: number; message: string }
  /** No answer that proves anything: the patch may have been applied. */
  | { kind: "unknown"; message: string }
  | { kind: "not-sent"; message: string };

/** Sends one merge patch with the resourceVersion as precondition. */
export async function sendRolloutPatch({
  client,
  address,
  as,
  patch,
  resourceVersion,
}: {
  client: ClusterClient;
  address: RolloutAddress;
  as: ClusterIdentity;
  patch: ActionPatch;
  resourceVersion: string;
}): Promise<PatchAnswer> {
  const path = rolloutPath(address);
  let response: ClusterResponse;
  try {
    response = await client.request({
      method: "PATCH",
      path: patch.subresource === "" ? path : `${path}/${patch.subresource}`,
      query: { fieldManager: "gatehouse" },
      contentType: "application/merge-patch+json",
      body: { ...patch.body, metadata: { resourceVersion } },
      as,
      timeoutMs: patchTimeoutMs,
    });
  } catch (error) {
    if (!(error instanceof ClusterUnreachableError)) throw error;
    return { kind: error.sent ? "unknown" : "not-sent", message: error.message };
  }
  const message = readStatusMessage(response);
  if (response.status >= 200 && response.status < 300) return { kind: "ok", object: response.json };
  if (response.status === 409) return { kind: "conflict", message };
  if (response.status === 404) return { kind: "missing", message };
  if (response.status === 429) return { kind: "not-sent", message: `the cluster is too busy: ${message}` };
  if (response.status >= 400 && response.status < 500) return { kind: "refused", status: response.status, message };
  return { kind: "unknown", message: `the cluster answered ${response.status}: ${message}` };
}

/** The API server's own words, one line and short: messages may repeat a whole object. */
export function readStatusMessage({ json, text, status }: Pick<ClusterResponse, "json" | "text" | "status">): string {
  const said =
    typeof json === "object" && json !== null && "message" in json && typeof json.message === "string"
      ? json.message
      : text;
  const line = redactText(said.replace(/\s+/g, " ").trim());
  if (line === "" || line.startsWith("<")) return `status ${status}`;
  return line.length <= maxMessageLength ? line : `${line.slice(0, maxMessageLength)}…`;
}
