// Many SSE clients on one web process: how long a change takes to reach all of them, compared with the same bytes
// written by a bare HTTP server; and again while others read lists. Then clients that stop reading, which must be cut
// without the process growing. With --full through the built application (runs `npm run build` if it is stale), else the
// route's handler without Next in front, and no lists.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestPool } from "#test/test-pool.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { buildApplication } from "./support/build-application.ts";
import {
  type FanOutOptions,
  fanOut,
  floodUntilCut,
  percentileOf,
  startClients,
  writeChangeLog,
} from "./support/fan-out.ts";
import { fillListed } from "./support/fill-listed.ts";
import { fillRecords } from "./support/fill-records.ts";
import { percentile, printFigure } from "./support/print-figure.ts";
import { readCpuSeconds, readMemory } from "./support/process-memory.ts";
import { startGatehouse, timeRequest, type WebProcess } from "./support/start-gatehouse.ts";
import { startHelper } from "./support/start-helper.ts";

const isFull = process.argv.includes("--full");
const options: FanOutOptions = { clients: isFull ? 2000 : 200, perSecond: 2, changes: 5, seconds: isFull ? 30 : 5 };
const stalled = isFull ? 200 : 20;
const goals = { delayMs: 250, busyDelayMs: 150, stalledMiB: 1 };
const requestsPerSecond = 200;
const records = { rollouts: 1000, releases: 5000, runs: 12_500, measurements: 250_000 };

if (isFull) {
  buildApplication();
}
const database = await startBenchDatabase();
const gatehouse = await startGatehouse({
  database,
  cluster: { url: "http://127.0.0.1:1", token: "none" },
  config: { limits: { streamsPerPerson: 10_000, requestsPerMinute: 100_000 } },
});
const clients = await startClients();
try {
  if (isFull) await fillLists();
  const raw = await measureRaw();
  const web = await gatehouse.startWeb({ next: isFull });
  await clients.open({ ...web, count: options.clients, stalled: false });
  const cpuBefore = readCpuSeconds(web.pid);
  const result = await fanOut({ clients, write: writeChangeLog(gatehouse), options });
  const cpu = readCpuSeconds(web.pid) - cpuBefore;
  const size =
    `${options.clients} clients${isFull ? " through Next" : ""}, ${options.perSecond} x ${options.changes} changes/s for ` +
    `${options.seconds} s, web process busy for ${cpu.toFixed(1)} s`;
  const value = percentileOf(result.delays, 99);
  printFigure({
    name: "sse-fanout-p99",
    value,
    unit: "ms",
    baseline: raw,
    ratio: value / raw,
    size: `${size}; median ${percentileOf(result.delays, 50)} ms, worst ${percentileOf(result.delays, 100)} ms`,
    goal: `under ${goals.delayMs} ms`,
    ok: value < goals.delayMs,
  });
  printFigure({
    name: "sse-fanout-lost",
    value: result.wrongClients,
    unit: "clients",
    baseline: options.clients,
    ratio: result.wrongClients / options.clients,
    size: `${result.sent} events to each; ${size}`,
    goal: "every client gets every event once",
    ok: result.wrongClients === 0,
  });
  if (isFull) await measureBusy(web, value);
  await clients.close();
  await measureStalled(web);
} finally {
  await clients.end();
  await gatehouse.close();
  await database.stop();
}

async function measureRaw(): Promise<number> {
  const server = await startHelper<{ port: number }>("serve-raw-events.ts");
  await clients.open({ ...server.hello, path: "/", token: "none", count: options.clients, stalled: false });
  const write = (refs: string[]) =>
    server.call(
      "write",
      refs
        .map((id) => `id: x\nevent: change\ndata: ${JSON.stringify({ kind: "rollout", id, op: "upsert" })}\n\n`)
        .join(""),
    );
  const result = await fanOut({ clients, write, options: { ...options, seconds: Math.min(10, options.seconds) } });
  await clients.close();
  await server.close();
  return percentileOf(result.delays, 99);
}

async function fillLists(): Promise<void> {
  const owner = createTestPool(database.ownerUrl, 1);
  await fillRecords(owner, records);
  await fillListed(owner);
  await owner.end();
}

/** Measures the same clients while lists of rollouts and releases are read, at a steady rate. */
async function measureBusy(web: WebProcess, quietMs: number): Promise<void> {
  const requests = requestLists(web);
  const result = await fanOut({ clients, write: writeChangeLog(gatehouse), options });
  const answers = await requests.stop();
  const value = percentileOf(result.delays, 99);
  printFigure({
    name: "sse-fanout-busy-p99",
    value,
    unit: "ms",
    baseline: quietMs,
    ratio: value / quietMs,
    size:
      `${options.clients} clients, beside ${requestsPerSecond} requests/s for lists of ${records.rollouts} rollouts and ${records.releases} ` +
      `releases, answered in ${percentile(answers, 50).toFixed(0)} ms (p95 ${percentile(answers, 95).toFixed(0)}); ` +
      `${result.wrongClients} clients lack an event; baseline: without requests`,
    goal: `under ${goals.busyDelayMs} ms`,
    ok: value < goals.busyDelayMs && result.wrongClients === 0,
  });
}

/** Requests lists until it is stopped; resolves with the time that each answer took, in milliseconds. */
function requestLists({ port, token }: WebProcess): { stop(): Promise<number[]> } {
  const answers: Promise<number>[] = [];
  const began = performance.now();
  const timer = setInterval(() => {
    while (answers.length < ((performance.now() - began) / 1000) * requestsPerSecond) {
      const list = answers.length % 2 === 0 ? "rollouts" : "releases";
      answers.push(timeRequest(`http://127.0.0.1:${port}/api/v1/${list}?limit=20`, token));
    }
  }, 5);
  return {
    stop: () => {
      clearInterval(timer);
      return Promise.all(answers);
    },
  };
}

async function measureStalled(web: WebProcess): Promise<void> {
  const healthy = 20;
  await clients.open({ ...web, count: healthy, stalled: false });
  const before = readMemory(web.pid).residentMiB;
  await clients.open({ ...web, count: stalled, stalled: true });
  const { cut, bytes } = await floodUntilCut({ gatehouse, web, stalled, size: 400, withinMs: 60_000 });
  const { residentMiB, mostMiB } = readMemory(web.pid);
  const left = await connectionsLeft(web.port, healthy);
  const grown = Math.max(0, mostMiB - before);
  printFigure({
    name: "sse-stalled-memory",
    value: grown / stalled,
    unit: "MiB per stalled client",
    baseline: before,
    ratio: mostMiB / before,
    size:
      `${stalled} stalled beside ${healthy} healthy clients, ${Math.round(bytes / 2 ** 20)} MiB sent to each; resident ` +
      `before ${Math.round(before)}, at most ${Math.round(mostMiB)}, after ${Math.round(residentMiB)} MiB; ${cut} cut, ` +
      `${left} connections left`,
    goal: `all stalled ones cut, under ${goals.stalledMiB} MiB each`,
    ok: cut >= stalled && left <= healthy + 1 && grown / stalled < goals.stalledMiB,
  });
}

/** Waits until the cut connections are closed: at most one more than the healthy ones, for reading the metrics. */
async function connectionsLeft(port: number, healthy: number): Promise<number> {
  for (let tries = 0; tries < 50 && countConnections(port) > healthy + 1; tries++) await sleep(100);
  return countConnections(port);
}

/** Counts the open connections of the process that listens on this port of 127.0.0.1. */
function countConnections(port: number): number {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const established = "01";
  return readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[1] === local && fields[3] === established).length;
}
