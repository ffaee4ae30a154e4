// Time from a rollout's change in the cluster until an SSE client receives it, compared with a raw watch of the same
// changes. Sandbox, driver and both clients run in this process; recorder and stream each have their own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { request } from "undici";
import { ensureDemoRows } from "#demo/ensure-demo-rows.ts";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { readLines } from "#lib/server/clusters/kubernetes/read-answer.ts";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { createTokenSecret } from "#lib/server/people/auth/token-secret.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { rolloutStatus, sampleRollout } from "#test/recorder-samples.ts";
import { startSandboxServer } from "#test/sandbox-server.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { percentile, printFigure } from "./support/print-figure.ts";

const perSecond = 200;
const seconds = process.argv.includes("--full") ? 60 : 15;
const rollouts = 400;
const goals = [
  { p: 50, goalMs: 15 },
  { p: 99, goalMs: 60 },
];
/** When each rollout last changed. */
const changedAt = new Map<string, number>();

const directory = mkdtempSync(join(tmpdir(), "gatehouse-bench-sse-"));
const database = await startBenchDatabase();
const sandbox = await startSandboxServer();
const children: ChildProcess[] = [];
try {
  await measure();
} finally {
  for (const child of children) {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
  await sandbox.close();
  await database.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exit();

async function measure(): Promise<void> {
  const { store } = sandbox;
  store.create("namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } }, { manager: "bench" });
  for (let index = 0; index < rollouts; index++)
    store.create("rollouts", sampleRollout({ name: `r${index}` }), { manager: "bench" });
  const streamUrl = await startProcesses();
  const heardAt = { raw: new Map<string, number>(), sse: new Map<string, number>() };
  await followRaw(heardAt.raw);
  await followStream(streamUrl, heardAt.sse);
  const raw: number[] = [];
  const sse: number[] = [];
  const begin = performance.now();
  let behind = 0;
  // Warms up for two seconds; the collected value belongs to the previous change, two seconds ago.
  for (let index = -perSecond * 2; index < perSecond * seconds; index++) {
    const due = begin + (index + perSecond * 2) * (1000 / perSecond);
    if (due > performance.now()) await sleep(due - performance.now());
    else behind = Math.max(behind, performance.now() - due);
    const name = `r${(index + perSecond * 2) % rollouts}`;
    collect({ name, heardAt: heardAt.raw, into: index >= rollouts ? raw : [] });
    collect({ name, heardAt: heardAt.sse, into: index >= rollouts ? sse : [] });
    change(name, index);
  }
  await sleep(1500);
  for (let index = 0; index < rollouts; index++) {
    collect({ name: `r${index}`, heardAt: heardAt.raw, into: raw });
    collect({ name: `r${index}`, heardAt: heardAt.sse, into: sse });
  }
  const size = `${perSecond} changes/s for ${seconds} s over ${rollouts} rollouts, one client; stream handler without Next in front`;
  const missed = raw.length - sse.length;
  if (missed !== 0) throw new Error(`${missed} of ${raw.length} changes did not reach the SSE client within 2 s`);
  if (behind > 500) process.stderr.write(`change-to-sse: the driver fell behind by ${Math.round(behind)} ms\n`);
  for (const { p, goalMs } of goals) {
    const value = percentile(sse, p);
    const baseline = percentile(raw, p);
    const ok = value <= goalMs;
    const goal = `at most ${goalMs} ms`;
    printFigure({ name: `change-to-sse-p${p}`, value, unit: "ms", baseline, ratio: value / baseline, size, goal, ok });
  }
}

function change(name: string, index: number): void {
  const current = sandbox.store.get("rollouts", "shop", name);
  if (current === undefined) throw new Error(`${name} is gone`);
  const status = rolloutStatus({ availableReplicas: Math.abs(index) % 3, message: `change ${index}` });
  changedAt.set(name, performance.now());
  sandbox.store.update("rollouts", { ...current, status }, { manager: "bench", subresource: "status" });
}

/** Collects the first event for the last change of that rollout; each rollout changes again only after two seconds. */
function collect(options: { name: string; heardAt: Map<string, number>; into: number[] }): void {
  const { name, heardAt, into } = options;
  const at = changedAt.get(name);
  const heard = heardAt.get(name);
  heardAt.delete(name);
  if (at !== undefined && heard !== undefined) into.push(heard - at);
}

function hear(heardAt: Map<string, number>, name: string): void {
  if (!heardAt.has(name)) heardAt.set(name, performance.now());
}

async function followRaw(heardAt: Map<string, number>): Promise<void> {
  const tokenFile = join(directory, "token");
  const client = createClusterClient(ClusterConfig.parse({ name: "raw", server: sandbox.url, tokenFile }));
  const watch = await client.watch({
    path: "/apis/argoproj.io/v1alpha1/rollouts",
    query: { resourceVersion: sandbox.store.resourceVersion() },
  });
  if (!("lines" in watch)) throw new Error(`the raw watch was answered ${watch.status}`);
  void (async () => {
    for await (const line of watch.lines) hear(heardAt, JSON.parse(line).object.metadata.name);
  })().catch(() => {});
}

async function followStream(
  { url, token }: { url: string; token: string },
  heardAt: Map<string, number>,
): Promise<void> {
  const response = await request(url, { headers: { authorization: `Bearer ${token}` }, bodyTimeout: 0 });
  if (response.statusCode !== 200) throw new Error(`the stream was answered ${response.statusCode}`);
  void (async () => {
    for await (const line of readLines(response.body)) {
      if (!line.startsWith("data: {")) continue;
      const event = JSON.parse(line.slice(6));
      if (event.kind === "rollout") hear(heardAt, String(event.id).split("/").at(-1) ?? "");
    }
  })().catch(() => {});
}

async function startProcesses(): Promise<{ url: string; token: string }> {
  const files = { config: join(directory, "gatehouse.yaml"), accounts: join(directory, "accounts.json") };
  const account = (name: string) => ({ username: name, password: `${name}-password` });
  const accounts = { viewer: account("viewer"), operator: account("operator"), admin: account("admin") };
  writeFileSync(files.accounts, JSON.stringify(accounts));
  writeFileSync(join(directory, "token"), sandbox.token);
  const [recorderPort, streamPort] = [await freePort(), await freePort()];
  writeFileSync(
    files.config,
    JSON.stringify({
      publicUrl: `http://127.0.0.1:${streamPort}`,
      demo: { accountsFile: files.accounts },
      clusters: [{ name: "demo", server: sandbox.url, tokenFile: join(directory, "token") }],
      recorder: { port: recorderPort },
    }),
  );
  const tokens = { viewer: createTokenSecret(), operator: createTokenSecret(), admin: createTokenSecret() };
  await ensureDemoRows(database.ownerUrl, { accounts, tokens, credentials: [] });
  start(["bin/gatehouse.mjs", "recorder"], files.config, database.recorderUrl);
  start(["bench/support/serve-stream.ts", String(streamPort)], files.config, database.webUrl);
  await untilLive();
  const url = `http://127.0.0.1:${streamPort}/api/v1/stream`;
  await untilAnswering(url);
  return { url, token: tokens.viewer };
}

function start(args: string[], configFile: string, databaseUrl: string): void {
  const child = spawn(process.execPath, ["--conditions=react-server", ...args], {
    cwd: join(import.meta.dirname, ".."),
    env: {
      NODE_ENV: "production",
      PATH: "/usr/bin:/bin",
      GATEHOUSE_CONFIG: configFile,
      GATEHOUSE_SECRET: "bench-secret-bench-secret-bench-secret",
      GATEHOUSE_LOG_LEVEL: "error",
      DATABASE_URL: databaseUrl,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  children.push(child);
}

async function untilLive(): Promise<void> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  await until("the recorder's sources are live", async () => {
    const { rowCount } = await client.query("SELECT 1 FROM source WHERE state = 'live'");
    return rowCount === sourcesOf({ name: "demo" }).length;
  });
  await client.end();
}

async function untilAnswering(url: string): Promise<void> {
  await until("the stream answers", () =>
    fetch(url).then(
      (response) => response.status === 401,
      () => false,
    ),
  );
}

async function until(what: string, check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 300; tries++) {
    if (await check()) return;
    await sleep(100);
  }
  throw new Error(`waited 30 s in vain until ${what}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
