import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Pool } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ScrapeState } from "#lib/domain/controllers/scrape-state.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { type MetricsServer, startMetricsServer } from "#sandbox/prow/metrics-server.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createScrapeWorld, scrapedCluster } from "#test/scrape-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { readController } from "./read-controllers.ts";
import { readSamples, thinSamples } from "./sample-rows.ts";

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

const createWorld = (cluster: ClusterConfig) => createScrapeWorld({ cluster, recorder });

async function stateOf(cluster: ClusterConfig, component: string): Promise<ScrapeState | undefined> {
  return (await readController(recorder, cluster, component))?.scrape;
}

const readSeries = (cluster: string, component: string, key: string) =>
  readSamples(recorder, { cluster, component, from: new Date(0), keys: [key] });

/** Serves this answer to every request. */
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
    const cluster = scrapedCluster("stored", [
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
    { name: "asks who we are", answer: (_, response) => response.writeHead(401).end(), code: "denied" },
    { name: "forbids it", answer: (_, response) => response.writeHead(403).end(), code: "denied" },
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
    const cluster = scrapedCluster(`fails-${code}-${name.length}`, [{ component: "status-reconciler", url }]);
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
    const cluster = scrapedCluster("gone", [
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
    const cluster = scrapedCluster("starved", [
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
    const cluster = scrapedCluster("token", [{ component: "tide", url, tokenFile: "/nowhere/token" }]);
    await createWorld(cluster).scrape();
    expect(asked).toEqual([]);
    expect(await stateOf(cluster, "tide")).toMatchObject({ error: { code: "credentials" } });
  });

  it("sees a restart, and stores everything again after another process scraped", async () => {
    let startedAt = 1_790_000_000;
    const url = await startEndpoint((_, response) =>
      response.end(`tidesyncheartbeat{controller="sync"} 7\nprocess_start_time_seconds ${startedAt}\n`),
    );
    const cluster = scrapedCluster("restart", [{ component: "tide", url }]);
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
