import { execFile, spawn, spawnSync } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type SandboxServer, startSandboxServer } from "#test/sandbox-server.ts";
import { until } from "./testing/http-client.ts";
import { addNamespace, rollout, temporaryFolder, WRITER } from "./testing/objects.ts";

const KUBECTL = "kubectl";
const run = promisify(execFile);
const hasKubectl = spawnSync(KUBECTL, ["version", "--client"]).status === 0;

describe("a real kubectl", () => {
  const folder = temporaryFolder();
  let sandbox: SandboxServer;
  beforeAll(async () => {
    sandbox = await startSandboxServer();
    addNamespace(sandbox.store, "shop");
  });
  afterAll(async () => {
    await sandbox.close();
    folder.remove();
  });
  beforeEach((context) => {
    if (!hasKubectl) context.skip("kubectl is not installed: install it to run this test");
    sandbox.store.delete("rollouts", "shop", "cart");
    sandbox.store.create("rollouts", rollout("cart", { metadata: { name: "cart", namespace: "shop" } }), WRITER);
  });

  /** kubectl sends no bearer tokens over plain http, but does send the credentials in the URL. */
  const base = (): string[] => [
    `--server=${sandbox.url.replace("http://", `http://admin:${sandbox.token}@`)}`,
    `--cache-dir=${folder.path}`,
    "--kubeconfig=/dev/null",
    "--namespace=shop",
  ];
  const kubectl = async (...args: string[]): Promise<string> => (await run(KUBECTL, [...base(), ...args])).stdout;
  const stored = () => sandbox.store.get("rollouts", "shop", "cart");

  it("gets a table, JSON and YAML", async () => {
    expect(await kubectl("get", "rollouts")).toMatch(/^NAME +DESIRED +CURRENT +UP-TO-DATE +AVAILABLE +AGE\ncart +3 /);
    expect(JSON.parse(await kubectl("get", "ro", "cart", "-o", "json"))).toMatchObject({ kind: "Rollout" });
    expect(await kubectl("get", "ro", "-o", "yaml")).toContain("name: cart");
  });

  it("patches the object and its status", async () => {
    await kubectl("patch", "rollout", "cart", "--type", "merge", "-p", '{"spec":{"paused":true}}');
    expect(stored()?.spec?.paused).toBe(true);
    const subresource = ["--subresource=status", "--type", "merge", "-p", '{"status":{"abort":true}}'];
    await kubectl("patch", "rollout", "cart", ...subresource);
    expect(stored()?.status).toEqual({ abort: true });
    const operations =
      '[{"op":"test","path":"/spec/replicas","value":3},{"op":"replace","path":"/spec/replicas","value":0}]';
    await kubectl("patch", "rollout", "cart", "--type", "json", "-p", operations);
    expect(stored()?.spec?.replicas).toBe(0);
  });

  it("watches", async () => {
    const child = spawn(KUBECTL, [...base(), "get", "rollouts", "-w", "--no-headers"]);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    try {
      await until(() => output.includes("cart"), "the first row");
      await until(() => sandbox.server.watchCount("rollouts") === 1, "the watch");
      const before = stored();
      if (before === undefined) throw new Error("the rollout is gone");
      sandbox.store.update("rollouts", { ...before, spec: { ...before.spec, replicas: 7 } }, WRITER);
      await until(() => /cart +7/.test(output), "the changed row");
    } finally {
      child.kill();
    }
  });

  it("lists what there is, and deletes", async () => {
    const resources = await kubectl("api-resources", "--no-headers", "-o", "name");
    expect(resources.split("\n")).toEqual(
      expect.arrayContaining(["rollouts.argoproj.io", "canaries.flagger.app", "pods"]),
    );
    await kubectl("delete", "rollout", "cart");
    expect(stored()).toBeUndefined();
  });
});
