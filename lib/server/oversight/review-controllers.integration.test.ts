import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ClusterConfig } from "#lib/server/config/config-schema.ts";
import { createControllerScraper } from "#lib/server/controllers/scrape-controllers.ts";
import { type ScrapeMemory, storeScrape } from "#lib/server/controllers/store-scrape.ts";
import { type MetricsServer, startMetricsServer } from "#sandbox/prow/metrics-server.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createTestPool } from "#test/test-pool.ts";
import { reviewController, reviewControllers } from "./review-controllers.ts";

let database: TestDatabase;
let owner: Pool;
let recorder: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl, 2);
  recorder = createTestPool(database.recorderUrl, 4);
});
afterAll(async () => {
  await Promise.all([owner.end(), recorder.end()]);
  await database.drop();
});

/** A cluster whose status-reconciler is scraped by real HTTP, as the upkeep does it. */
async function createWorld(name: string) {
  const prow: MetricsServer = await startMetricsServer({ port: 0, now: () => Date.now() });
  const url = `${prow.url}/status-reconciler`;
  const cluster = ClusterConfig.parse({
    ...{ name, server: "http://127.0.0.1:1" },
    controllers: { endpoints: [{ component: "status-reconciler", url: `${url}/metrics`, probe: `${url}/healthz` }] },
  });
  const memory: ScrapeMemory = new Map();
  const errors: unknown[] = [];
  let nowMs = 0;
  const scraper = createControllerScraper({
    now: () => nowMs,
    async onAttempt(place, attempt) {
      await storeScrape({ pool: recorder, memory }, place, attempt);
      await reviewController({ pool: recorder, cluster, component: place.component });
    },
    onError: (error) => errors.push(error),
  });
  return {
    prow,
    cluster,
    async scrape() {
      scraper.turn([cluster], AbortSignal.timeout(20_000));
      await scraper.settle();
      nowMs += 15_000;
      expect(errors).toEqual([]);
    },
    async findings(): Promise<string[]> {
      const { rows } = await owner.query(
        "SELECT rule, severity, title, closed_at FROM finding WHERE cluster = $1 AND about = 'controller' ORDER BY rule, since",
        [name],
      );
      return rows.map(
        ({ rule, severity, title, closed_at }) =>
          `${severity} ${rule}: ${title}${closed_at === null ? "" : " (closed)"}`,
      );
    },
  };
}

describe("the incident of an emptied config directory", () => {
  const critical = [
    "critical prow-config-load-failing: The config does not load, and 345 contexts were retired since",
    "critical prow-contexts-retired: 345 contexts were retired in 6 repositories",
    "critical prow-presubmits-collapsed: Loaded presubmits fell from 1284 to 37",
  ];

  it("is three critical findings within one scrape, which say what and since when", async () => {
    const { prow, cluster, scrape, findings } = await createWorld("incident");
    await scrape();
    await scrape();
    expect(await findings()).toEqual([]);
    prow.play("incident");
    await scrape();
    expect(await findings()).toEqual(critical);
    const { rows } = await owner.query(
      "SELECT evidence, subject FROM finding WHERE cluster = 'incident' AND rule = 'prow-contexts-retired'",
    );
    expect(rows[0]).toMatchObject({
      subject: "incident/status-reconciler",
      evidence: expect.arrayContaining([
        { label: "openshift/router", value: "75 contexts" },
        expect.objectContaining({ link: { to: "controller", id: "incident/status-reconciler" } }),
      ]),
    });
    // The same again is the same, whoever looks.
    await scrape();
    await reviewControllers({ pool: recorder, clusters: [cluster] });
    expect(await findings()).toEqual(critical);
    prow.play("repaired");
    await scrape();
    // The config is back; what was retired stays so.
    expect(await findings()).toEqual([`${critical[0]} (closed)`, critical[1], `${critical[2]} (closed)`]);
    await prow.close();
  });

  it("is found by another recorder, which remembers nothing", async () => {
    const { prow, cluster, scrape, findings } = await createWorld("gap");
    await scrape();
    prow.play("incident");
    const other = createControllerScraper({
      now: () => 0,
      async onAttempt(place, attempt) {
        await storeScrape({ pool: recorder, memory: new Map() }, place, attempt);
        await reviewController({ pool: recorder, cluster, component: place.component });
      },
      onError: (error) => {
        throw error;
      },
    });
    other.turn([cluster], AbortSignal.timeout(20_000));
    await other.settle();
    expect(await findings()).toEqual(critical);
    await prow.close();
  });

  it.each(["deletion", "small"] as const)("is not a real removal of jobs: %s", async (scenario) => {
    const { prow, scrape, findings } = await createWorld(`nearly-${scenario}`);
    await scrape();
    prow.play(scenario);
    await scrape();
    await scrape();
    expect(await findings()).toEqual([]);
    await prow.close();
  });
});

it("a controller that stops answering is found at the second scrape, and closed when it is back", async () => {
  const { prow, cluster, scrape, findings } = await createWorld("stops");
  await scrape();
  await prow.close();
  await scrape();
  expect(await findings()).toEqual([]);
  await scrape();
  expect(await findings()).toEqual(["warning controller-down: Its metrics endpoint does not answer"]);
  // Nobody is told of a controller that the config no longer names.
  await reviewControllers({
    pool: recorder,
    clusters: [{ ...cluster, controllers: { ...cluster.controllers, endpoints: [] } }],
  });
  expect(await findings()).toEqual(["warning controller-down: Its metrics endpoint does not answer (closed)"]);
});
