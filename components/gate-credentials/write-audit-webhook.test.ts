import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { auditedKinds } from "#lib/domain/kube-audit/judge-event.ts";
import { auditPolicy, writeAuditKubeconfig } from "./write-audit-webhook.ts";

const file = join(import.meta.dirname, "../../deploy/kubernetes-audit-policy.yaml");

it("writes a kubeconfig whose token is the credential", () => {
  const text = writeAuditKubeconfig({
    url: "https://gatehouse.example.com",
    cluster: "prod-eu",
    credential: { id: "a", secret: "b" },
  });
  expect(parse(text)).toEqual({
    apiVersion: "v1",
    kind: "Config",
    clusters: [
      { name: "gatehouse", cluster: { server: "https://gatehouse.example.com/hooks/kubernetes-audit/prod-eu" } },
    ],
    users: [{ name: "api-server", user: { token: "a.b" } }],
    contexts: [{ name: "gatehouse", context: { cluster: "gatehouse", user: "api-server" } }],
    "current-context": "gatehouse",
  });
});

it("shows the policy of deploy/kubernetes-audit-policy.yaml", () => {
  expect(parse(auditPolicy)).toEqual(parse(readFileSync(file, "utf8")));
});

it("asks for every kind whose events are kept, and for nothing else", () => {
  const policy = parse(auditPolicy) as { rules: { resources?: { group: string; resources: string[] }[] }[] };
  const asked = policy.rules.flatMap(({ resources = [] }) =>
    resources.flatMap(({ group, resources: names }) => names.map((name) => `${group}/${name}`)),
  );
  const kept = auditedKinds.flatMap(({ resource: { group, name } }) => [`${group}/${name}`, `${group}/${name}/status`]);
  expect(asked.toSorted()).toEqual(kept.toSorted());
});
