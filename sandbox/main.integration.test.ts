import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findFreePort } from "#test/start-demo.ts";
import { openWatch, patch, send, type Target, until } from "./apiserver/testing/http-client.ts";
import { temporaryFolder } from "./apiserver/testing/objects.ts";

const MAIN = join(import.meta.dirname, "main.ts");
const READY = /^sandbox ready (http:\/\/127\.0\.0\.1:\d+)\n$/;

type Running = { child: ChildProcess; stdout: () => string; stderr: () => string; exit: Promise<number | null> };

describe("sandbox/main.ts", () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let running: Running[] = [];
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    for (const { child } of running) child.kill("SIGKILL");
    await Promise.all(running.map(({ exit }) => exit));
    running = [];
    folder.remove();
  });

  function start(...args: string[]): Running {
    const child = spawn(process.execPath, [MAIN, "--data-dir", join(folder.path, "data"), ...args], { stdio: "pipe" });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const exit = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
    const started = { child, stdout: () => stdout, stderr: () => stderr, exit };
    running.push(started);
    return started;
  }

  async function ready(sandbox: Running): Promise<Target> {
    await until(() => READY.test(sandbox.stdout()), `the ready line; stderr: ${sandbox.stderr()}`);
    const token = readFileSync(join(folder.path, "data", "token"), "utf8").trim();
    return { url: READY.exec(sandbox.stdout())?.[1] ?? "", token };
  }

  it("prints one line, keeps its token to itself, and stops within a second with a watch open", async () => {
    const sandbox = start();
    const target = await ready(sandbox);
    expect(statSync(join(folder.path, "data", "token")).mode & 0o777).toBe(0o600);
    const watch = await openWatch(target, "/api/v1/namespaces?watch=1");
    const asked = performance.now();
    sandbox.child.kill("SIGTERM");
    expect(await sandbox.exit).toBe(0);
    expect(performance.now() - asked).toBeLessThan(1000);
    expect(await watch.ended).toBe("cut");
    expect(sandbox.stdout()).toMatch(READY);
  });

  it("is the same cluster after kill -9", async () => {
    const path = "/api/v1/namespaces/kube-system";
    const first = start();
    const before = await ready(first);
    const identity = (await send(before, { path })).body.metadata.uid;
    const changed = await patch(before, "/api/v1/namespaces/default", { metadata: { labels: { kept: "yes" } } });
    first.child.kill("SIGKILL");
    await first.exit;
    const after = await ready(start());
    expect(after.token).toBe(before.token);
    expect((await send(after, { path })).body.metadata.uid).toBe(identity);
    const again = (await send(after, { path: "/api/v1/namespaces/default" })).body;
    expect(again.metadata).toMatchObject({
      labels: { kept: "yes" },
      resourceVersion: changed.body.metadata.resourceVersion,
    });
  });

  it("starts its scenarios when told to, and names them", async () => {
    const target = await ready(start("--cluster", "here"));
    expect((await send(target, { path: "/apis/argoproj.io/v1alpha1/rollouts" })).body.items).toEqual([]);
    expect((await send(target, { method: "POST", path: "/_sandbox/start" })).status).toBe(200);
    const scenarios: Record<string, string> = (await send(target, { path: "/_sandbox/scenarios" })).body;
    const [cluster, namespace, , name] = (scenarios.healthy ?? "").split("/");
    expect(cluster).toBe("here");
    const path = `/apis/argoproj.io/v1alpha1/namespaces/${namespace}/rollouts/${name}`;
    await until(async () => (await send(target, { path })).status === 200, "the healthy scenario");
  });

  it("with --flagger plays Canaries too, whose hooks call the URL in the file", async () => {
    const file = join(folder.path, "gate-url");
    const target = await ready(start("--flagger", "--gate-url-file", file));
    writeFileSync(file, "http://flagger:secret@127.0.0.1:2/hooks/flagger/demo\n");
    expect((await send(target, { method: "POST", path: "/_sandbox/start" })).status).toBe(200);
    const scenarios: Record<string, string> = (await send(target, { path: "/_sandbox/scenarios" })).body;
    expect(scenarios.flaggerPromotion).toBe("demo/shopfront/Canary/basket");
    const path = "/apis/flagger.app/v1beta1/namespaces/shopfront/canaries/basket";
    const { spec } = (await send(target, { path })).body;
    expect(spec.analysis.webhooks[0].url).toBe(
      "http://flagger:secret@127.0.0.1:2/hooks/flagger/demo/confirm-promotion",
    );
  });

  it("takes messages beside its metrics", async () => {
    const metricsPort = await findFreePort();
    await ready(start("--metrics-port", String(metricsPort)));
    const url = `http://127.0.0.1:${metricsPort}/messages`;
    expect((await fetch(url, { method: "POST", body: "{}" })).status).toBe(204);
    expect((await fetch(url)).status).toBe(404);
  });

  it("serves what --load names and leaves it alone", async () => {
    const shop = join(folder.path, "load", "shop");
    mkdirSync(shop, { recursive: true });
    const metadata = "metadata: {name: cart, uid: 11111111-0000-4000-8000-000000000001}";
    writeFileSync(
      join(shop, "cart.yaml"),
      `apiVersion: argoproj.io/v1alpha1\nkind: Rollout\n${metadata}\nstatus: {phase: Paused}\n`,
    );
    const target = await ready(start("--load", join(folder.path, "load")));
    const { body } = await send(target, { path: "/apis/argoproj.io/v1alpha1/namespaces/shop/rollouts/cart" });
    expect(body).toMatchObject({
      metadata: { uid: "11111111-0000-4000-8000-000000000001" },
      status: { phase: "Paused" },
    });
  });

  it("stops when its stdin ends, where that was asked for", async () => {
    const sandbox = start("--exit-on-stdin-close");
    await ready(sandbox);
    sandbox.child.stdin?.end();
    expect(await sandbox.exit).toBe(0);
  });

  it("says in one line that its port is taken", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const sandbox = start("--port", String(port));
    expect(await sandbox.exit).toBe(1);
    expect(sandbox.stderr()).toMatch(/^sandbox: .*EADDRINUSE.*\n$/);
    await new Promise((resolve) => other.close(resolve));
  });

  it("says in one line that its data directory cannot be used", async () => {
    writeFileSync(join(folder.path, "data"), "a file, not a folder");
    chmodSync(join(folder.path, "data"), 0o400);
    const sandbox = start();
    expect(await sandbox.exit).toBe(1);
    expect(sandbox.stderr()).toMatch(/^sandbox: .*data.*\n$/);
    expect(sandbox.stdout()).toBe("");
  });

  it.each([
    { args: ["--port", "x"], text: "--port" },
    { args: ["--speed", "0"], text: "--speed" },
    { args: ["--nonsense"], text: "nonsense" },
  ])("refuses $args", async ({ args, text }) => {
    const sandbox = start(...args);
    expect(await sandbox.exit).toBe(1);
    expect(sandbox.stderr()).toContain(text);
    expect(sandbox.stderr().split("\n")).toHaveLength(2);
  });
});
