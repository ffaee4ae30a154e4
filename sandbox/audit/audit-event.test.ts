import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createStore } from "#sandbox/apiserver/store.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { type AuditedWrite, makeAuditEvent } from "./audit-event.ts";
import { auditStore } from "./audited-store.ts";

type Recorded = Record<string, unknown> & { verb: string; objectRef: object; requestObject: unknown };
const file = join(import.meta.dirname, "../../test/fixtures/kubernetes-audit/events.json");
const { items } = JSON.parse(readFileSync(file, "utf8")) as { items: Recorded[] };
const recorded = (verb: string, user: string): Recorded => {
  const found = items.find((item) => item.verb === verb && JSON.stringify(item.user).includes(user));
  if (found === undefined) throw new Error(`no recorded ${verb}`);
  return found;
};

const at = new Date("2026-11-23T06:00:39.033Z");
const user = { name: "lab-admin", uid: "uid-admin", groups: ["system:masters"], extra: {} };
const write: AuditedWrite = {
  ...{ verb: "patch", resource: { group: "argoproj.io", version: "v1alpha1", plural: "rollouts" } },
  ...{ subresource: "status", namespace: "payments", name: "aud", code: 200, impersonated: undefined, user },
  uri: "/apis/argoproj.io/v1alpha1/namespaces/payments/rollouts/aud/status",
  userAgent: "kubectl-argo-rollouts/v1.10.2 (linux/amd64) kubernetes/unknown",
  ...{ sourceIp: "127.0.0.1", sent: { status: { abort: true } }, receivedAt: at, answeredAt: at },
};

describe("an event has the fields of a real API server's", () => {
  it.each([
    ["a patch of the status", write, recorded("patch", "lab-admin")],
    [
      "an update",
      {
        ...{ ...write, verb: "update", subresource: undefined },
        sent: { metadata: { uid: "u", resourceVersion: "295" } },
      },
      recorded("update", "lab-admin"),
    ],
  ])("for %s", (_, made, real) => {
    const event = makeAuditEvent(made);
    expect(Object.keys(event)).toEqual(Object.keys(real));
    expect(Object.keys(event.objectRef as object)).toEqual(Object.keys(real.objectRef));
    expect(event.stageTimestamp).toBe("2026-11-23T06:00:39.033000Z");
  });

  it("for somebody who is impersonated", () => {
    const real = items.find((item) => "impersonatedUser" in item);
    const event = makeAuditEvent({ ...write, subresource: undefined, impersonated: { ...user, name: "release" } });
    expect(Object.keys(event)).toEqual(Object.keys(real ?? {}));
    expect(event).toMatchObject({ user: { username: "lab-admin" }, impersonatedUser: { username: "release" } });
  });
});

it("audits what scripts do as people and delivery tools, as the patch that a client sends", () => {
  const writes: AuditedWrite[] = [];
  const store = createStore({ now: () => at, uid: randomUUID });
  const audited = auditStore(store, { now: () => at, onWrite: (one) => writes.push(one) });
  const metadata = { namespace: "payments", name: "checkout" };
  const base = { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", metadata };
  store.create("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "payments" } }, { manager: "x" });
  audited.create("rollouts", { ...base, spec: { replicas: 1, paused: false } }, { manager: "kubectl" });
  const change = (changes: Partial<KubeObject>, manager: string) => {
    const object = store.get("rollouts", "payments", "checkout") as KubeObject;
    audited.update(
      "rollouts",
      { ...object, ...changes },
      { manager, ...("status" in changes && { subresource: "status" }) },
    );
  };
  change({ spec: { replicas: 1, paused: true } }, "kubectl-argo-rollouts");
  change({ spec: { replicas: 1, paused: true } }, "kubectl-argo-rollouts");
  change({ status: { abort: true } }, "rollouts-controller");
  change({ spec: { replicas: 2, paused: true } }, "argocd-controller");
  expect(writes.map(({ user: { name }, sent }) => [name, sent])).toEqual([
    ["sre-oncall@example.com", { spec: { paused: true } }],
    ["system:serviceaccount:argocd:argocd-application-controller", { spec: { replicas: 2 } }],
  ]);
});
