// Many SSE clients on one web process: how long a change takes to reach all of them, compared with the same bytes
// written by a bare HTTP server. Then clients that stop reading, which must be cut without the process growing. With
// --full through the built application (runs `npm run build` if it is stale), else the route's handler without Next in
// front.
import { setTimeout as sleep } from "node:timers/promises";
import { startBenchDatabase } from "./support/bench-database.ts";
import { buildApplication } from "./support/build-application.ts";
import { countConnections } from "./support/count-connections.ts";
import {
  type FanOutOptions,
  fanOut,
  floodUntilCut,
  percentileOf,
  startClients,
  writeChangeLog,
} from "./support/fan-out.ts";
import { printFigure } from "./support/print-figure.ts";
import { readCpuSeconds, readMemory } from "./support/process-memory.ts";
import { startGatehouse } from "./support/start-gatehouse.ts";
import { startHelper } from "./support/start-helper.ts";

const isFull = process.argv.includes("--full");
const options: FanOutOptions = { clients: isFull ? 2000 : 200, perSecond: 2, changes: 5, seconds: isFull ? 30 : 5 };
const stalled = isFull ? 200 : 20;
const goals = { delayMs: 250, stalledMiB: 1 };

if (isFull) {
  buildApplication();
}
const database = await startBenchDatabase();
const gatehouse = await startGatehouse({
  database,
  cluster: { url: "http://127.0.0.1:1", token: "none" },
  config: { limits: { streamsPerPerson: 10_000 } },
});
const clients = await startClients();
try {
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

async function measureStalled(web: Awaited<ReturnType<typeof gatehouse.startWeb>>): Promise<void> {
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
