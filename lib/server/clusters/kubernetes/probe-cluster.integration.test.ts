import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { probeCluster } from "./probe-cluster.ts";

let sandbox: SandboxServer;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandboxServer();
  folder = await mkdtemp(join(tmpdir(), "gatehouse-probe-"));
  await writeFile(join(folder, "token"), sandbox.token);
  await writeFile(join(folder, "wrong"), "wrong");
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

function configOf(fields: { server?: string; token?: string }): ClusterConfig {
  const { server = sandbox.url, token = "token" } = fields;
  return ClusterConfig.parse({ name: "prod", server, tokenFile: join(folder, token) });
}

describe("probeCluster", () => {
  it("says that the cluster answers", async () => {
    expect(await probeCluster(configOf({}))).toBe(`${sandbox.url} answers`);
  });

  it.each([
    { name: "nobody listens", fields: { server: "http://127.0.0.1:1" }, message: /^cluster prod: .*ECONNREFUSED/ },
    { name: "the token is wrong", fields: { token: "wrong" }, message: /^cluster prod: the credentials .* \(401\)/ },
  ])("says in one line that $name", async ({ fields, message }) => {
    await expect(probeCluster(configOf(fields))).rejects.toThrow(message);
  });

  it.each(["403", "404", "500"] as const)("says in one line that it answers %s", async (fault) => {
    await sandbox.fault({ fault });
    await expect(probeCluster(configOf({}))).rejects.toThrow(new RegExp(`^cluster prod: .*${fault}`));
    await sandbox.fault({ fault: "none" });
  });
});
