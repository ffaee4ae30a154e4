import { randomUUID } from "node:crypto";
import type { UserInfo } from "#sandbox/apiserver/auth.ts";
import type { Resource } from "#sandbox/apiserver/resources.ts";

/** A write that the API server has answered. */
export type AuditedWrite = {
  verb: string;
  resource: Pick<Resource, "group" | "version" | "plural">;
  subresource: string | undefined;
  namespace: string | undefined;
  name: string | undefined;
  /** Path and query as they were requested. */
  uri: string;
  user: UserInfo;
  /** The user that was impersonated, if any. */
  impersonated: UserInfo | undefined;
  userAgent: string;
  /** As the client chose it; absent: the API server does. */
  auditId?: string | undefined;
  sourceIp: string;
  code: number;
  /** The request body, parsed from JSON; undefined if it is not JSON. */
  sent: unknown;
  receivedAt: Date;
  answeredAt: Date;
};

/** Makes the event that a Kubernetes API server sends for it at the level Request (audit.k8s.io/v1). */
export function makeAuditEvent(write: AuditedWrite): Record<string, unknown> {
  const { verb, resource, subresource, namespace, name, uri, user, impersonated, sent, code } = write;
  const { uid, resourceVersion } = verb === "update" ? metadataOf(sent) : {};
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "Request",
    auditID: write.auditId ?? randomUUID(),
    stage: "ResponseComplete",
    requestURI: uri,
    verb,
    user: describeUser(user),
    ...(impersonated === undefined ? {} : { impersonatedUser: describeUser(impersonated) }),
    sourceIPs: [write.sourceIp],
    userAgent: write.userAgent,
    // In the order and with the omissions of the real one: a patch has neither uid nor version.
    objectRef: {
      resource: resource.plural,
      ...(namespace === undefined ? {} : { namespace }),
      ...(name === undefined ? {} : { name }),
      ...(uid === undefined ? {} : { uid }),
      apiGroup: resource.group,
      apiVersion: resource.version,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(subresource === undefined ? {} : { subresource }),
    },
    responseStatus: { metadata: {}, code },
    ...(sent === undefined ? {} : { requestObject: sent }),
    requestReceivedTimestamp: formatMicroTime(write.receivedAt),
    stageTimestamp: formatMicroTime(write.answeredAt),
    annotations: { "authorization.k8s.io/decision": "allow", "authorization.k8s.io/reason": "" },
  };
}

function describeUser({ name, uid, groups, extra }: UserInfo): Record<string, unknown> {
  const more = Object.keys(extra).length === 0 ? {} : { extra };
  return { username: name, ...(uid === undefined ? {} : { uid }), groups, ...more };
}

function metadataOf(sent: unknown): { uid?: string; resourceVersion?: string } {
  if (typeof sent !== "object" || sent === null || !("metadata" in sent)) return {};
  return (sent.metadata ?? {}) as { uid?: string; resourceVersion?: string };
}

/** Formats as `metav1.MicroTime`. */
function formatMicroTime(at: Date): string {
  return at.toISOString().replace("Z", "000Z");
}
