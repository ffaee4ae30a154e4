import { randomUUID } from "node:crypto";
import { expect } from "vitest";

export type AuditEventOptions = {
  name: string;
  namespace?: string;
  resource?: string;
  username?: string;
  agent?: string;
  at?: Date;
  changes?: Record<string, unknown>;
};

/** Makes the event that an API server sends when a person patches the status of a Rollout. */
export function makeAuditEvent({
  name,
  namespace = "shop",
  resource = "rollouts",
  username = "sre-oncall@example.com",
  agent = "kubectl-argo-rollouts",
  at = new Date(),
  changes = {},
}: AuditEventOptions): Record<string, unknown> & { auditID: string } {
  const subresource = resource === "rollouts" ? { subresource: "status" } : {};
  const object = { resource, namespace, name, apiGroup: "argoproj.io", apiVersion: "v1alpha1" };
  return {
    ...{ kind: "Event", apiVersion: "audit.k8s.io/v1", level: "Request", stage: "ResponseComplete" },
    auditID: randomUUID(),
    requestURI: `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/${resource}/${name}`,
    verb: "patch",
    user: { username, groups: ["sre", "system:authenticated"] },
    sourceIPs: ["192.0.2.7"],
    userAgent: `${agent}/v1.10.2 (linux/amd64) kubernetes/abc`,
    objectRef: { ...object, ...subresource },
    responseStatus: { metadata: {}, code: 200 },
    requestObject: { status: { abort: true } },
    requestReceivedTimestamp: at.toISOString(),
    stageTimestamp: at.toISOString(),
    ...changes,
  };
}

export function listAuditEvents(items: readonly unknown[]): Record<string, unknown> {
  return { kind: "EventList", apiVersion: "audit.k8s.io/v1", metadata: {}, items };
}

/** Sends a body to the audit webhook, and returns the status with the reason. */
export async function deliverAudit(
  url: string,
  { authorization, body }: { authorization?: string | undefined; body: string },
): Promise<{ reported: string; answer: Record<string, unknown>; headers: Headers }> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(authorization === undefined ? {} : { authorization }) },
    body,
  });
  const answer = (await response.json()) as Record<string, unknown>;
  expect(typeof answer.reason).toBe("string");
  return { reported: `${response.status} ${String(answer.reason)}`, answer, headers: response.headers };
}
