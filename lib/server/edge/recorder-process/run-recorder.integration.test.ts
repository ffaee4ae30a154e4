import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Status } from "#lib/contract/system.ts";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { findFreePort, type RecorderProcess, startRecorderProcess } from "#test/recorder-process.ts";
import { createRecorderWorld, type RecorderWorld, waitFor } from "#test/recorder-world.ts";

let world: RecorderWorld;
const processes: RecorderProcess[] = [];
beforeAll(async () => {
  world = await createRecorderWorld();
});
afterEach(() => Promise.all(processes.splice(0).map((each) => each.kill())));
afterAll(() => world.close());

async function startProcess(options: { databaseUrl: string; port?: number }): Promise<RecorderProcess> {
  const { url, token } = world.sandbox;
  const process = await startRecorderProcess({ clusterUrl: url, clusterToken: token, ...options });
  processes.push(process);
  return process;
}

const statusOf = (url: string): Promise<number | undefined> =>
  fetch(url).then(
    (response) => response.status,
    () => undefined,
  );

/** The longest that a stop may take (contract): after that, the launcher kills it. */
const goneWithinMs = 10_000;

describe("runRecorder", () => {
  const endings = [
    { name: "SIGTERM", end: (child: ChildProcess) => child.kill("SIGTERM") },
    { name: "SIGINT", end: (child: ChildProcess) => child.kill("SIGINT") },
    { name: "the end of stdin", end: (child: ChildProcess) => child.stdin?.end() },
  ];
  it.each(endings)("records, answers its probes, and stops in order on $name", async ({ end }) => {
    const { child, url } = await startProcess({ databaseUrl: world.database.recorderUrl });
    await waitFor("readiness", async () => (await statusOf(`${url}/readyz`)) === 200);
    await waitFor("live sources", async () => {
      const rows = await world.query("SELECT 1 FROM source WHERE cluster = 'demo' AND state = 'live'");
      return rows.length === sourcesOf({ name: "demo" }).length;
    });
    expect(await statusOf(`${url}/livez`)).toBe(200);
    expect(await statusOf(`${url}/nothing`)).toBe(404);
    // The rows may still show what an earlier process saw.
    await waitFor("a list of its own", async () => {
      const metrics = await (await fetch(`${url}/metrics`)).text();
      return metrics.includes('gatehouse_objects_loaded{cluster="demo",kind="Rollout",namespace=""} 0');
    });
    const startedAt = performance.now();
    const exit = once(child, "exit");
    end(child);
    expect(await exit).toEqual([0, null]);
    expect(performance.now() - startedAt).toBeLessThan(goneWithinMs);
    const held = await world.query("SELECT 1 FROM source_lease WHERE expires_at > clock_timestamp()");
    expect(held).toEqual([]);
  });

  it("follows its config file: says a bad reload in /status and /metrics, and mends", async () => {
    const { url, configFile } = await startProcess({ databaseUrl: world.database.recorderUrl });
    const configState = async (): Promise<unknown> => {
      const status = Status.parse(await (await fetch(`${url}/status`)).json());
      return status.config.state;
    };
    const good = readFileSync(configFile, "utf8");
    await waitFor("readiness", async () => (await statusOf(`${url}/readyz`)) === 200);
    expect(await configState()).toBe("ok");
    writeFileSync(configFile, "clusters: [");
    await waitFor("the refusal", async () => (await configState()) === "error");
    expect([await statusOf(`${url}/livez`), await statusOf(`${url}/readyz`)]).toEqual([200, 200]);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(metrics).toContain("gatehouse_config_reload_failures_total 1\n");
    writeFileSync(configFile, good);
    await waitFor("the mended file", async () => (await configState()) === "ok");
    rmSync(configFile);
    await waitFor("the missing file", async () => (await configState()) === "error");
    expect(await statusOf(`${url}/livez`)).toBe(200);
    const status = Status.parse(await (await fetch(`${url}/status`)).json());
    expect(status.config).toMatchObject({ fault: "missing" });
    expect(status.sources.length).toBeGreaterThan(0);
  });

  it("waits for a database that is down: alive, but not ready", async () => {
    const { child, url } = await startProcess({
      databaseUrl: `postgresql://x:y@127.0.0.1:${await findFreePort()}/none`,
    });
    await waitFor("liveness", async () => (await statusOf(`${url}/livez`)) === 200);
    expect(await statusOf(`${url}/readyz`)).toBe(503);
    expect(await (await fetch(`${url}/status`)).json()).toMatchObject({ ready: false, database: { ok: false } });
    const exit = once(child, "exit");
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  });

  it("says in one line that its port is taken", async () => {
    const blocker = createServer().listen(0, "127.0.0.1");
    await once(blocker, "listening");
    const address = blocker.address();
    const port = address !== null && typeof address === "object" ? address.port : 0;
    const { child, stderr } = await startProcess({ databaseUrl: world.database.recorderUrl, port });
    const [code] = await once(child, "exit");
    blocker.close();
    expect(code).not.toBe(0);
    expect(stderr().trim().split("\n")).toEqual([expect.stringContaining(`127.0.0.1:${port}`)]);
  });
});
