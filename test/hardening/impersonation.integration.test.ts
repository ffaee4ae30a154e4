import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeClusterIdentity } from "#lib/server/acting/cluster-identity.ts";
import { ClusterConfig } from "#lib/server/config/config-schema.ts";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";
import { createClusterClient } from "#lib/server/kubernetes/create-cluster-client.ts";
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
  const change = (as?: { mode: "impersonation"; username: string; groups: string[] }) =>
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
    await expect(change({ mode: "impersonation", username, groups: [] })).rejects.toThrow();
    expect(wasMade()).toBe(false);
  });

  it("is never sent with a group of Kubernetes' own", async () => {
    await expect(change({ mode: "impersonation", username: "releaser", groups: ["system:masters"] })).rejects.toThrow();
    expect(wasMade()).toBe(false);
  });

  it("is sent as a person, else what stands above would prove nothing", async () => {
    expect((await change({ mode: "impersonation", username: "releaser", groups: ["a,b"] })).status).toBe(201);
    expect(wasMade()).toBe(true);
  });
});
