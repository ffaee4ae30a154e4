// Time from a rollout's change in the cluster until an SSE client receives it, compared with a raw watch of the same
// changes. Sandbox, driver and both clients run in this process; recorder and stream each have their own.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { createClusterClient } from "#lib/server/clusters/kubernetes/create-cluster-client.ts";
import { readLines } from "#lib/server/clusters/kubernetes/read-answer.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { rolloutStatus, sampleRollout } from "#test/recorder-samples.ts";
import { startSandboxServer } from "#test/sandbox-server.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { percentile, printFigure } from "./support/print-figure.ts";
import { startGatehouse, type WebProcess } from "./support/start-gatehouse.ts";

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
const gatehouse = await startGatehouse({ database, cluster: { url: sandbox.url, token: sandbox.token } });
try {
  await measure();
} finally {
  await gatehouse.close();
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
  gatehouse.startRecorder();
  const web = await gatehouse.startWeb({ next: false });
  await gatehouse.untilLive(30_000);
  const heardAt = { raw: new Map<string, number>(), sse: new Map<string, number>() };
  await followRaw(heardAt.raw);
  await followStream(web, heardAt.sse);
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
  writeFileSync(tokenFile, sandbox.token);
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

async function followStream({ port, path, token }: WebProcess, heardAt: Map<string, number>): Promise<void> {
  const response = await request(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${token}` },
    bodyTimeout: 0,
  });
  if (response.statusCode !== 200) throw new Error(`the stream was answered ${response.statusCode}`);
  void (async () => {
    for await (const line of readLines(response.body)) {
      if (!line.startsWith("data: {")) continue;
      const event = JSON.parse(line.slice(6));
      if (event.kind === "rollout") hear(heardAt, String(event.id).split("/").at(-1) ?? "");
    }
  })().catch(() => {});
}
