import { expect, it } from "vitest";
import { formatAccess } from "#lib/domain/acting/plan.ts";
import { canaryOf } from "#lib/domain/flagger/view/testing/sample-canary.ts";
import { listAccess } from "./access-needs.ts";

const patches = [{ subresource: "" }];
const reads = ["get canaries podinfo", "get deployments web", "get deployments web-primary"];

it.each([
  { action: "approve", patched: false, rights: reads },
  { action: "rollback", patched: false, rights: reads },
  { action: "skip-analysis", patched: true, rights: [...reads, "patch canaries podinfo"] },
  { action: "suspend", patched: true, rights: ["get canaries podinfo", "patch canaries podinfo"] },
  { action: "retrigger", patched: true, rights: [...reads, "patch deployments web"] },
  { action: "approve", patched: false, kind: "Service", rights: ["get canaries podinfo"] },
])("$action of a $kind needs $rights", ({ action, patched, kind = "Deployment", rights }) => {
  const canary = canaryOf({ spec: { targetRef: { kind, name: "web" } } });
  const asked = listAccess(canary, { action, ...(patched && { patches }) }, undefined);
  expect(asked.map((access) => `${formatAccess(access)} ${access.name}`)).toEqual(rights);
  expect(new Set(asked.map(({ namespace }) => namespace))).toEqual(new Set(["test"]));
});
