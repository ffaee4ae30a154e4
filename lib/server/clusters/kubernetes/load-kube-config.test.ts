import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { loadKubeConfig } from "./load-kube-config.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "gatehouse-kubeconfig-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(user: Record<string, unknown>): ClusterConfig {
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(
    kubeconfig,
    stringify({
      clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:1" } }],
      users: [
        { name: "other", user: { tokenFile: "other" } },
        { name: "u", user },
      ],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    }),
  );
  return ClusterConfig.parse({ name: "prod", kubeconfig });
}

async function authorizationOf(config: ClusterConfig): Promise<unknown> {
  const options: { headers?: Record<string, unknown> } = {};
  await loadKubeConfig(config).applyToHTTPSOptions(options as never);
  return options.headers?.Authorization;
}

describe("the credentials of a kubeconfig", () => {
  it("are a token", async () => {
    expect(await authorizationOf(write({ token: "inline" }))).toBe("Bearer inline");
  });

  it("are those of its tokenFile, from the kubeconfig's folder, before a token: as kubectl has it", async () => {
    writeFileSync(join(folder, "token"), "from-file");
    expect(await authorizationOf(write({ tokenFile: "token", token: "inline" }))).toBe("Bearer from-file");
  });

  it("are missing if the tokenFile is, which is said", () => {
    expect(() => loadKubeConfig(write({ tokenFile: "none" }))).toThrow(/^cluster prod: tokenFile of .* cannot be read/);
  });
});
