import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeClusterIdentity } from "#lib/server/acting/permission/cluster-identity.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { startWireTap, type WireTap } from "#test/wire-tap.ts";
import type { ClusterClient, ClusterIdentity } from "./cluster-client-types.ts";
import { createClusterClient } from "./create-cluster-client.ts";

let sandbox: SandboxServer;
let tap: WireTap;
let folder: string;
let client: ClusterClient;

beforeAll(async () => {
  sandbox = await startSandboxServer();
  tap = await startWireTap(sandbox.url);
  folder = await mkdtemp(join(tmpdir(), "gatehouse-impersonation-"));
  await writeFile(join(folder, "token"), sandbox.token);
  client = createClusterClient(configOf());
});
afterAll(async () => {
  await client.close();
  await tap.close();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

function configOf(fields: Record<string, unknown> = {}): ClusterConfig {
  return ClusterConfig.parse({
    name: "a",
    server: tap.url,
    tokenFile: join(folder, "token"),
    access: "act",
    impersonation: { allowAnyUser: true },
    ...fields,
  });
}

type UserInfo = { username: string; groups: string[]; extra?: Record<string, string[]> };

/** Returns who the API server believes the sender is. */
async function whoAmI(as: ClusterIdentity | undefined, by = client): Promise<UserInfo> {
  const { json } = await by.request({
    method: "POST",
    path: "/apis/authentication.k8s.io/v1/selfsubjectreviews",
    body: { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
    ...(as === undefined ? {} : { as }),
  });
  return (json as { status: { userInfo: UserInfo } }).status.userInfo;
}

const authenticated = "system:authenticated";

describe("impersonation, as an API server reads it", () => {
  it.each([
    { name: "two groups", username: "oncall", groups: ["dev", "ops"] },
    { name: "a comma in a group", username: "oncall", groups: ["dev, ops", "night,shift"] },
    { name: "a comma and a blank in the user", username: "call, on", groups: [] },
    { name: "names beyond ASCII", username: "ren\u00e9", groups: ["\u0440\u0435\u043b\u0438\u0437", "\u7d44"] },
    { name: "signs that mean something elsewhere", username: 'a:b@c/d%20;e="f"', groups: ["*", "g'h", "i\\j"] },
    { name: "no group", username: "oncall", groups: [] },
  ])("arrives whole: $name", async ({ username, groups }) => {
    const who = await whoAmI({ mode: "user", username, groups });
    expect(who).toMatchObject({ username, groups: [...groups, authenticated] });
    expect(await whoAmI({ mode: "groups", username, groups })).toMatchObject({
      ...{ username: "gatehouse:person", groups: [...groups, authenticated] },
      extra: { "gatehouse.dev/person": [username] },
    });
  });

  it("has a header of its own for each group", async () => {
    await whoAmI({ mode: "user", username: "oncall", groups: ["a,b", "c"] });
    const headers = tap.requests.at(-1)?.headers;
    expect(headers?.get("impersonate-user")).toEqual(["oncall"]);
    expect(headers?.get("impersonate-group")).toEqual(["a,b", "c"]);
  });

  it("never mixes with what a kubeconfig impersonates", async () => {
    const file = join(folder, "kubeconfig");
    const user = { token: sandbox.token, as: "robot", "as-groups": ["system:masters"] };
    const config = {
      ...{ apiVersion: "v1", kind: "Config", "current-context": "c" },
      clusters: [{ name: "c", cluster: { server: tap.url, "insecure-skip-tls-verify": true } }],
      users: [{ name: "c", user }],
      contexts: [{ name: "c", context: { cluster: "c", user: "c" } }],
    };
    await writeFile(file, JSON.stringify(config));
    const by = createClusterClient(
      ClusterConfig.parse({ name: "a", kubeconfig: file, access: "act", impersonation: { allowAnyUser: true } }),
    );
    expect(await whoAmI(undefined, by)).toMatchObject({ username: "robot" });
    const who = await whoAmI({ mode: "user", username: "oncall", groups: [] }, by);
    expect(who).toMatchObject({ username: "oncall", groups: [authenticated] });
    await by.close();
  });

  it.each<{ name: string; username?: string; groups?: string[] }>([
    { name: "an empty user", username: "" },
    { name: "a blank user", username: " " },
    { name: "an empty group", groups: ["dev", ""] },
    { name: "a system user", username: "system:admin" },
    { name: "a system group", groups: ["dev", "system:masters"] },
    { name: "a system group in other letters", groups: ["SYSTEM:masters"] },
    { name: "a line break", username: "oncall\r\nImpersonate-Group: system:masters" },
    { name: "a NUL", groups: ["dev\0"] },
  ])("is not even sent for $name", async ({ username = "oncall", groups = [] }) => {
    const before = tap.requests.length;
    await expect(whoAmI({ mode: "user", username, groups })).rejects.toThrow();
    await expect(whoAmI({ mode: "groups", username, groups })).rejects.toThrow();
    expect(tap.requests).toHaveLength(before);
  });

  it("takes its names from random claims, or refuses: what arrives was meant", async () => {
    const random = createRandom(5);
    const parts = [
      "",
      "a",
      "dev",
      "system",
      "system:",
      ":",
      ",",
      " ",
      "\u00e9",
      "\u200b",
      "\n",
      "masters",
      "\u0000",
      "%0a",
    ];
    const word = () => Array.from({ length: random(4) }, () => parts[random(parts.length)]).join("");
    const { impersonation } = configOf();
    let sent = 0;
    for (let round = 0; round < 300; round += 1) {
      const allowAnyUser = round % 2 === 0;
      const mapping = { ...impersonation, allowAnyUser, groupsPrefix: word(), usernamePrefix: word() };
      const claims = { preferred_username: word(), groups: Array.from({ length: random(3) }, word) };
      const cluster = { name: "a", actAs: "impersonation", impersonation: mapping } as const;
      let identity: ClusterIdentity;
      try {
        identity = makeClusterIdentity({ actor: { type: "user", claims }, cluster });
      } catch {
        continue;
      }
      sent += 1;
      const who = await whoAmI(identity);
      const groups = claims.groups.map((group) => mapping.groupsPrefix + group);
      const [name, ...more] = mapping.allowAnyUser ? [who.username] : (who.extra?.["gatehouse.dev/person"] ?? []);
      expect([name, ...more]).toEqual([mapping.usernamePrefix + claims.preferred_username]);
      expect(name).not.toMatch(/^\s*system:/i);
      expect(who.groups).toEqual([...new Set(groups), authenticated]);
    }
    expect(sent).toBeGreaterThan(20);
  });
});

describe("a client", () => {
  const path = "/apis/argoproj.io/v1alpha1/namespaces/a/rollouts/b";
  const person: ClusterIdentity = { mode: "user", username: "oncall", groups: [] };

  it.each(["PATCH", "PUT", "POST", "DELETE"] as const)("sends no %s without a person", async (method) => {
    const before = tap.requests.length;
    await expect(client.request({ method, path, body: {} })).rejects.toThrow("names no user");
    const forPerson: ClusterIdentity = { ...person, mode: "serviceAccount" };
    await expect(client.request({ method, path, body: {}, as: forPerson })).rejects.toThrow("as the person alone");
    expect(tap.requests).toHaveLength(before);
  });

  it("sends no change at all to a cluster that is only read", async () => {
    const reader = createClusterClient(configOf({ access: "read" }));
    const before = tap.requests.length;
    await expect(reader.request({ method: "PATCH", path, body: {}, as: person })).rejects.toThrow("only read");
    expect(tap.requests).toHaveLength(before);
    await reader.close();
  });
});

/** Returns numbers from 0 below `limit`, the same in every run. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}
