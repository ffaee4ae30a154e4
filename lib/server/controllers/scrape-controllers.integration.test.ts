import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ScrapeState } from "#lib/domain/controllers/scrape-state.ts";
import { ClusterConfig } from "#lib/server/config/config-schema.ts";
import { type MetricsServer, startMetricsServer } from "#sandbox/prow/metrics-server.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { type PrometheusServer, startPrometheus } from "#test/prometheus-server.ts";
import { createTestPool } from "#test/test-pool.ts";
import { readController } from "./read-controllers.ts";
import { readSamples } from "./sample-rows.ts";
import { createControllerScraper } from "./scrape-controllers.ts";
import { type ScrapeMemory, storeScrape } from "./store-scrape.ts";
import { thinSamples } from "./thin-samples.ts";

let database: TestDatabase;
let owner: Pool;
let recorder: Pool;
let prow: MetricsServer;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl, 2);
  recorder = createTestPool(database.recorderUrl, 4);
  prow = await startMetricsServer({ port: 0, now: () => Date.now() });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(async () => {
  await prow.close();
  await Promise.all([owner.end(), recorder.end()]);
  await database.drop();
});

type Endpoints = ClusterConfig["controllers"]["endpoints"];

function clusterOf(name: string, endpoints: Endpoints, more: object = {}): ClusterConfig {
  return ClusterConfig.parse({
    name,
    server: "http://127.0.0.1:1",
    controllers: { endpoints, everySeconds: 5, ...more },
  });
}

/** Scrapes everything that is due, with a clock that is moved by hand. */
function createWorld(cluster: ClusterConfig) {
  const memory: ScrapeMemory = new Map();
  const errors: unknown[] = [];
  let nowMs = 0;
  const scraper = createControllerScraper({
    now: () => nowMs,
    onAttempt: (place, attempt) => storeScrape({ pool: recorder, memory }, place, attempt),
    onError: (error) => errors.push(error),
  });
  const start = () => scraper.turn([cluster], AbortSignal.timeout(30_000));
  return {
    errors,
    start,
    settle: scraper.settle,
    advance: (ms: number) => {
      nowMs += ms;
    },
    async scrape() {
      start();
      await scraper.settle();
      nowMs += 5000;
    },
  };
}

async function stateOf(cluster: ClusterConfig, component: string): Promise<ScrapeState | undefined> {
  return (await readController(recorder, cluster, component))?.scrape;
}

const readSeries = (cluster: string, component: string, key: string) =>
  readSamples(recorder, { cluster, component, from: new Date(0), keys: [key] });

/** Serves this answer, whatever is asked. */
async function startEndpoint(answer: Parameters<typeof createServer>[1]): Promise<string> {
  const server: Server = createServer(answer ?? (() => {}));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("a scrape", () => {
  it("is stored with its samples, the version and the probe", async () => {
    const cluster = clusterOf("stored", [
      {
        component: "status-reconciler",
        url: `${prow.url}/status-reconciler/metrics`,
        probe: `${prow.url}/status-reconciler/healthz`,
      },
      { component: "tide", url: `${prow.url}/tide/metrics`, probe: `${prow.url}/tide/healthz` },
    ]);
    const world = createWorld(cluster);
    await world.scrape();
    await world.scrape();
    expect(world.errors).toEqual([]);
    expect(await stateOf(cluster, "status-reconciler")).toMatchObject({
      ...{ via: "endpoint", everySeconds: 5, error: null, consecutiveFailures: 0, restarts: 0 },
      probe: { state: "ok" },
      presence: { presubmits: "present", "contexts-retired": "none-yet", "client-failures": "not-available" },
    });
    // tide has no probe: that is no sign of bad health.
    expect(await stateOf(cluster, "tide")).toMatchObject({ error: null, probe: { state: "absent" } });
    const [presubmits] = await readSeries("stored", "status-reconciler", "presubmits");
    // What stays the same is stored once.
    expect(presubmits?.points.map(({ value }) => value)).toEqual([1284]);
    expect((await readSeries("stored", "status-reconciler", "scrape-duration"))[0]?.points).toHaveLength(2);
    expect(await readSeries("stored", "status-reconciler", "contexts-retired")).toEqual([]);
  });

  const failures: { name: string; answer: Parameters<typeof createServer>[1]; code: string }[] = [
    { name: "refuses", answer: (_, response) => response.writeHead(503).end("busy"), code: "refused" },
    { name: "redirects", answer: (_, response) => response.writeHead(302, { location: "/" }).end(), code: "refused" },
    { name: "answers a page", answer: (_, response) => response.end("<html>\n</html>\n"), code: "not-metrics" },
    { name: "answers nothing", answer: (_, response) => response.end(), code: "not-metrics" },
    {
      name: "answers half a number",
      answer: (_, response) => response.end("status_reconciler_loaded_presubmit_count 12"),
      code: "truncated",
    },
    {
      name: "breaks off",
      answer: (_, response) => {
        response.writeHead(200, { "content-length": "5000" });
        response.write("status_reconciler_loaded_presubmit_count 12\n", () => response.destroy());
      },
      code: "truncated",
    },
    {
      name: "answers without end",
      answer: (_, response) => {
        const more = () => {
          while (response.write(`${"x".repeat(999)} 1\n`.repeat(1000)));
          response.once("drain", more);
        };
        more();
      },
      code: "too-large",
    },
  ];
  it.each(failures)("fails if the endpoint $name, and stores no sample", async ({ name, answer, code }) => {
    const url = await startEndpoint(answer);
    const cluster = clusterOf(`fails-${code}-${name.length}`, [{ component: "status-reconciler", url }]);
    const world = createWorld(cluster);
    await world.scrape();
    await world.scrape();
    expect(await stateOf(cluster, "status-reconciler")).toMatchObject({
      ...{ error: { code }, consecutiveFailures: 2, lastOkAt: null, upSince: null, presence: {} },
    });
    expect(await readSeries(cluster.name, "status-reconciler", "presubmits")).toEqual([]);
  });

  it("fails if nothing listens, and keeps what was known before", async () => {
    const own = await startMetricsServer({ port: 0, now: () => Date.now() });
    const cluster = clusterOf("gone", [
      { component: "status-reconciler", url: `${own.url}/status-reconciler/metrics` },
    ]);
    const world = createWorld(cluster);
    await world.scrape();
    await own.close();
    await world.scrape();
    const state = await stateOf(cluster, "status-reconciler");
    expect(state).toMatchObject({
      ...{ error: { code: "unreachable", message: "the connection was refused" }, consecutiveFailures: 1 },
      presence: { presubmits: "present" },
    });
    expect(state?.lastOkAt).not.toBeNull();
    expect(state?.failingSince).toBe(state?.at);
  });

  it("is not held up by an endpoint that never answers", async () => {
    const waiting = await startEndpoint(() => {});
    const cluster = clusterOf("starved", [
      { component: "argo-rollouts", url: waiting },
      { component: "tide", url: `${prow.url}/tide/metrics` },
    ]);
    const world = createWorld(cluster);
    // Three rounds begin while the first scrape of the silent endpoint is still under way.
    for (const count of [1, 2, 3]) {
      world.start();
      await expect
        .poll(async () => (await readSeries("starved", "tide", "scrape-duration"))[0]?.points.length)
        .toBe(count);
      world.advance(5000);
    }
    expect(await stateOf(cluster, "argo-rollouts")).toBeUndefined();
    await world.settle();
    expect(await stateOf(cluster, "argo-rollouts")).toMatchObject({
      ...{ error: { code: "timeout" }, consecutiveFailures: 1 },
    });
  });

  it("sends the token, and says what is wrong if there is none", async () => {
    const asked: (string | undefined)[] = [];
    const url = await startEndpoint((request, response) => {
      asked.push(request.headers.authorization);
      response.end("tidesyncheartbeat 1\n");
    });
    const cluster = clusterOf("token", [{ component: "tide", url, tokenFile: "/nowhere/token" }]);
    await createWorld(cluster).scrape();
    expect(asked).toEqual([]);
    expect(await stateOf(cluster, "tide")).toMatchObject({ error: { code: "credentials" } });
  });

  it("sees a restart, and stores everything again after another process scraped", async () => {
    let startedAt = 1_790_000_000;
    const url = await startEndpoint((_, response) =>
      response.end(`tidesyncheartbeat{controller="sync"} 7\nprocess_start_time_seconds ${startedAt}\n`),
    );
    const cluster = clusterOf("restart", [{ component: "tide", url }]);
    const world = createWorld(cluster);
    await world.scrape();
    startedAt += 100;
    await world.scrape();
    expect(await stateOf(cluster, "tide")).toMatchObject({ restarts: 1, startedAt: "2026-09-21T14:15:00.000Z" });
    await createWorld(cluster).scrape();
    await world.scrape();
    const [heartbeats] = await readSeries("restart", "tide", "sync-heartbeat");
    expect(heartbeats?.points).toHaveLength(3);
  });
});

describe("a Prometheus that scrapes many", () => {
  let prometheus: PrometheusServer;
  beforeAll(async () => {
    prometheus = await startPrometheus();
  });
  afterAll(() => prometheus.close());

  it("tells of a component only what is of its own target", async () => {
    const at = Date.now();
    const labels = { job: "argo", instance: "10.0.0.1:8090" };
    const other = { job: "other", instance: "10.0.0.2:80" };
    const point = (value: string): [number, string][] => [[at, value]];
    prometheus.series = [
      { name: "argo_rollouts_controller_info", labels: { ...labels, version: "v1.9.3" }, values: point("1") },
      { name: "workqueue_depth", labels: { ...labels, name: "Rollouts" }, values: point("4") },
      { name: "workqueue_depth", labels: { ...other, name: "others" }, values: point("400") },
    ];
    const cluster = clusterOf("prometheus", [], { prometheus: { url: prometheus.url } });
    const world = createWorld(cluster);
    await world.scrape();
    expect(await stateOf(cluster, "argo-rollouts")).toMatchObject({
      via: "prometheus",
      version: "v1.9.3",
      error: null,
    });
    const depths = await readSeries("prometheus", "argo-rollouts", "queue-depth");
    expect(depths.map(({ labels: { name }, points }) => [name, points.at(-1)?.value])).toEqual([["Rollouts", 4]]);
    // What it never had may not exist.
    expect(await stateOf(cluster, "flagger")).toBeUndefined();
    prometheus.series = [];
    await world.scrape();
    expect(await stateOf(cluster, "argo-rollouts")).toMatchObject({ error: { code: "not-found" } });
  });
});

it("samples are thinned by age, and keep peaks and increases", async () => {
  const insert = (series: string, hoursAgo: number, values: number[]) =>
    owner.query(
      `INSERT INTO controller_sample (cluster, component, series, at, value)
       SELECT 'thin', 'tide', $1, date_trunc('hour', now()) - make_interval(hours => $2) + make_interval(secs => 15 * (place - 1)), value
         FROM unnest($3::float8[]) WITH ORDINALITY AS given (value, place)`,
      [series, hoursAgo, values],
    );
  const fiveMinutes = [5, 5, 9, 5, 1, 5, 5, 6];
  await insert("young", 5, fiveMinutes);
  await insert("gauge", 30, fiveMinutes);
  await insert("counter", 30, [10, 20, 30, 2, 4, 8]);
  await insert("flat", 30, [3, 3, 3, 3]);
  await insert(
    "old",
    24 * 8,
    Array.from({ length: 100 }, (_, index) => index),
  );
  await thinSamples(recorder, 30 * 24 * 3_600_000);
  const left = async (series: string) =>
    (await readSeries("thin", "tide", series))[0]?.points.map(({ value }) => value);
  expect(await left("young")).toEqual(fiveMinutes);
  expect(await left("gauge")).toEqual([9, 1, 6]);
  expect(await left("counter")).toEqual([30, 2, 8]);
  expect(await left("flat")).toEqual([3]);
  expect(await left("old")).toEqual([0, 99]);
});
