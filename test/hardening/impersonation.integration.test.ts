import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeClusterIdentity } from "#lib/server/acting/permission/cluster-identity.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { gatehouseAccount } from "#sandbox/apiserver/auth.ts";
import { authorizeByRbac, type RbacObject, readManifest } from "#test/rbac.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";

/** Flux Operator CVE-2026-23990: with empty claims, requests ran with the server's own rights. */

let sandbox: SandboxServer;
let client: ClusterClient;
let directory: string;
let config: ClusterConfig;
beforeAll(async () => {
  sandbox = await startSandboxServer({ authorize: () => ({ allowed: true }) });
  directory = mkdtempSync(join(tmpdir(), "gatehouse-identity-"));
  const tokenFile = join(directory, "token");
  writeFileSync(tokenFile, sandbox.token);
  config = ClusterConfig.parse({ name: "demo", server: sandbox.url, tokenFile, access: "act" });
  client = createClusterClient(config);
  const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } };
  sandbox.store.create("namespaces", namespace, { manager: "test" });
});
afterAll(async () => {
  await client.close();
  await sandbox.close();
  rmSync(directory, { recursive: true });
});

const names = ["", " ", "system:masters", "System:admin", " system:node", "a\nb", "a\u0000", "a\u2028b"];

describe("a claim that names nobody", () => {
  const identify = (claims: Record<string, unknown>) =>
    makeClusterIdentity({ actor: { type: "user", claims }, cluster: config });

  it.each([...names, undefined, null, 7, ["a"], {}])("%j is refused as a user name", (name) => {
    expect(() => identify({ preferred_username: name, groups: [] })).toThrow(
      expect.objectContaining({ code: "forbidden" }),
    );
  });

  it.each(names.filter((name) => name.trim() !== ""))("%j is refused as a group", (group) => {
    expect(() => identify({ preferred_username: "releaser", groups: [group] })).toThrow(
      expect.objectContaining({ code: "forbidden" }),
    );
  });

  it("is not looked for anywhere else, such as in what every object inherits", () => {
    const cluster = { ...config, impersonation: { ...config.impersonation, usernameClaim: "toString" } };
    expect(() => makeClusterIdentity({ actor: { type: "user", claims: {} }, cluster })).toThrow();
    expect(identify({ preferred_username: "releaser", email: "system:masters" }).username).toBe("releaser");
  });
});

describe("a request that changes something", () => {
  const change = (as?: { mode: "groups"; username: string; groups: string[] }) =>
    client.request({
      method: "POST",
      path: "/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts",
      body: { apiVersion: "argoproj.io/v1alpha1", kind: "Rollout", metadata: { name: "made" }, spec: {} },
      ...(as === undefined ? {} : { as }),
    });
  const wasMade = () => sandbox.store.get("rollouts", "shop", "made") !== undefined;

  it("is never sent without a person", async () => {
    await expect(change()).rejects.toThrow();
    expect(wasMade()).toBe(false);
  });

  it.each(names)("is never sent as %j", async (username) => {
    await expect(change({ mode: "groups", username, groups: [] })).rejects.toThrow();
    expect(wasMade()).toBe(false);
  });

  it("is never sent with a group of Kubernetes' own", async () => {
    await expect(change({ mode: "groups", username: "releaser", groups: ["system:masters"] })).rejects.toThrow();
    expect(wasMade()).toBe(false);
  });

  it("is sent as a person, else what stands above would prove nothing", async () => {
    expect((await change({ mode: "groups", username: "releaser", groups: ["a,b"] })).status).toBe(201);
    expect(wasMade()).toBe(true);
  });
});

describe("whoever holds Gatehouse's token", () => {
  let cluster: SandboxServer;
  const rbac = [...readManifest("rbac-read.yaml"), ...readManifest("rbac-act.yaml")];
  const secrets: RbacObject = {
    kind: "ClusterRole",
    metadata: { name: "secrets" },
    rules: [{ apiGroups: [""], resources: ["secrets"], verbs: ["get", "list"] }],
  };
  const admins = ["system:kube-controller-manager", "kubernetes-admin", "oidc:ada"].map(
    (name): RbacObject => ({
      ...{ kind: "ClusterRoleBinding", metadata: { name } },
      roleRef: { kind: "ClusterRole", name: "secrets" },
      subjects: [{ kind: "User", name }],
    }),
  );
  beforeAll(async () => {
    cluster = await startSandboxServer({
      users: new Map([["t", gatehouseAccount]]),
      authorize: authorizeByRbac([...rbac, secrets, ...admins]),
    });
  });
  afterAll(() => cluster.close());

  const ask = (headers: Record<string, string>, path = "/api/v1/namespaces/shop/secrets") =>
    fetch(`${cluster.url}${path}`, { headers: { authorization: "Bearer t", ...headers } });
  const person = {
    "impersonate-user": "gatehouse:person",
    "impersonate-extra-gatehouse.dev%2Fperson": "oidc:ada",
    "impersonate-group": "oidc:release-engineers",
  };

  it.each<[string, Record<string, string>]>([
    ["a controller of Kubernetes", { "impersonate-user": "system:kube-controller-manager" }],
    ["an admin", { "impersonate-user": "kubernetes-admin" }],
    ["a person with rights of their own", { "impersonate-user": "oidc:ada" }],
    ["a service account", { "impersonate-user": "system:serviceaccount:kube-system:admin" }],
    ["the group of admins", { ...person, "impersonate-group": "system:masters" }],
    ["a group that the rule does not name", { ...person, "impersonate-group": "oidc:admins" }],
    ["a uid", { ...person, "impersonate-uid": "1" }],
    ["another extra", { ...person, "impersonate-extra-scopes": "all" }],
    ["the person, who has no such right by the group", person],
  ])("reads no Secret as %s", async (_, headers) => {
    expect((await ask(headers)).status).toBe(403);
  });

  it("is the shared user with the group, else what stands above would prove nothing", async () => {
    const answer = await fetch(`${cluster.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
      method: "POST",
      headers: { authorization: "Bearer t", "content-type": "application/json", ...person },
      body: JSON.stringify({ apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" }),
    });
    expect(await answer.json()).toMatchObject({
      status: { userInfo: { username: "gatehouse:person", extra: { "gatehouse.dev/person": ["oidc:ada"] } } },
    });
  });
});
