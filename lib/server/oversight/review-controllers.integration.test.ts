import type { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createControllerScraper } from "#lib/server/oversight/controllers/scrape-controllers.ts";
import { type ScrapeMemory, storeScrape } from "#lib/server/oversight/controllers/store-scrape.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { OversightConfig, toOversightScopes } from "#lib/server/platform/config/oversight-schema.ts";
import { createDeliveryMeter } from "#sandbox/prow/delivery-meter.ts";
import { type MetricsServer, startMetricsServer } from "#sandbox/prow/metrics-server.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { startPrometheus } from "#test/prometheus-server.ts";
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

/** A cluster of which one component is scraped by real HTTP, as the upkeep does it. */
async function createWorld(name: string, component = "status-reconciler") {
  const meter = createDeliveryMeter();
  const delivery = { meter, canaries: () => new Map<string, number>() };
  const prow: MetricsServer = await startMetricsServer({ port: 0, now: () => Date.now(), delivery });
  const url = `${prow.url}/${component}`;
  const cluster = ClusterConfig.parse({
    ...{ name, server: "http://127.0.0.1:1" },
    controllers: { endpoints: [{ component, url: `${url}/metrics`, probe: `${url}/healthz` }] },
  });
  const memory: ScrapeMemory = new Map();
  const errors: unknown[] = [];
  let nowMs = 0;
  const scraper = createControllerScraper({
    now: () => nowMs,
    async onAttempt(place, attempt) {
      await storeScrape({ pool: recorder, memory }, place, attempt);
      await reviewController({ pool: recorder, scopes: [], cluster, component: place.component });
    },
    onError: (error) => errors.push(error),
  });
  return {
    meter,
    prow,
    cluster,
    async scrape() {
      scraper.turn([cluster], AbortSignal.timeout(120_000));
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
    await reviewControllers({ pool: recorder, scopes: [], clusters: [cluster] });
    expect(await findings()).toEqual(critical);
    prow.play("repaired");
    await scrape();
    // The config is back; what was retired stays so. The probe must be well for a minute.
    const before =
      "critical prow-config-load-failing: The config did not load until just now, and 345 contexts were retired meanwhile";
    expect(await findings()).toEqual([before, critical[1], `${critical[2]} (closed)`]);
    for (const _ of [1, 2, 3]) await scrape();
    expect(await findings()).toEqual([before, critical[1], `${critical[2]} (closed)`]);
    await scrape();
    expect(await findings()).toEqual([`${before} (closed)`, critical[1], `${critical[2]} (closed)`]);
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
        await reviewController({ pool: recorder, scopes: [], cluster, component: place.component });
      },
      onError: (error) => {
        throw error;
      },
    });
    other.turn([cluster], AbortSignal.timeout(120_000));
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

it("a version with a known defect is found, and reconciles that fail often; not those that fail a few times", async () => {
  const { meter, prow, scrape, findings } = await createWorld("failing", "argo-rollouts");
  const reconcile = (times: number, isFailed: boolean) => {
    for (let time = 0; time < times; time++) meter.onReconcile("rollouts", 0.01, isFailed);
  };
  const defect =
    "info controller-known-defect: A pause step is passed at once if the background analysis is Inconclusive when the rollout reaches it";
  reconcile(20, false);
  await scrape();
  reconcile(9, true);
  await scrape();
  expect(await findings()).toEqual([defect]);
  reconcile(3, true);
  await scrape();
  expect(await findings()).toEqual([
    defect,
    "warning controller-reconcile-errors: Reconcile errors: at least 10 within five minutes",
  ]);
  await prow.close();
});

it("a version without a known defect has no finding", async () => {
  const { prow, scrape, findings } = await createWorld("harmless", "tide");
  await scrape();
  expect(await findings()).toEqual([]);
  await prow.close();
});

it("a reconciler that a Prometheus scrapes is replaced without a finding, and what the new one does is found", async () => {
  const prometheus = await startPrometheus();
  const cluster = ClusterConfig.parse({
    ...{ name: "rolled", server: "http://127.0.0.1:1" },
    controllers: { prometheus: { url: prometheus.url } },
  });
  const memory: ScrapeMemory = new Map();
  let nowMs = 0;
  const scraper = createControllerScraper({
    now: () => nowMs,
    async onAttempt(place, attempt) {
      await storeScrape({ pool: recorder, memory }, place, attempt);
      await reviewController({ pool: recorder, scopes: [], cluster, component: place.component });
    },
    onError: (error) => {
      throw error;
    },
  });
  type Pod = { instance: string; loaded: number; retired?: number; startedMs: number };
  const findings = async (...pods: Pod[]) => {
    prometheus.series = pods.flatMap(({ instance, loaded, retired, startedMs }) => {
      const series = (name: string, value: number, more = {}) => ({
        ...{ name, labels: { job: "prow", instance, ...more } },
        values: [[Date.now(), String(value)] satisfies [number, string]],
      });
      return [
        series("status_reconciler_loaded_presubmit_count", loaded),
        series("process_start_time_seconds", startedMs / 1000),
        ...(retired === undefined
          ? []
          : ["a", "b", "c"].map((repo) => series("status_reconciler_contexts_retired_total", retired, { repo }))),
      ];
    });
    scraper.turn([cluster], AbortSignal.timeout(120_000));
    await scraper.settle();
    nowMs += 15_000;
    const { rows } = await owner.query("SELECT rule, title FROM finding WHERE cluster = 'rolled' ORDER BY rule");
    return rows.map(({ rule, title }) => `${rule}: ${title}`);
  };
  const old = { instance: "old:9090", loaded: 1284, retired: 500, startedMs: Date.now() - 86_400_000 };
  const young = { instance: "young:9090", loaded: 0, startedMs: Date.now() - 5000 };
  expect(await findings(old)).toEqual([]);
  expect(await findings(old, young)).toEqual([]);
  expect(await findings(young)).toEqual([]);
  expect(await findings({ ...young, loaded: 1284, retired: 1 })).toEqual([]);
  expect(await findings()).toEqual([]);
  expect(await findings({ ...young, loaded: 1284, retired: 1 })).toEqual([]);
  expect(await findings({ ...young, loaded: 37, retired: 31 })).toEqual([
    "prow-contexts-retired: 93 contexts were retired in 3 repositories",
    "prow-presubmits-collapsed: Loaded presubmits fell from 1284 to 37",
  ]);
  await prometheus.close();
});

it("a rule that is off for the cluster finds nothing, and what it had found is closed", async () => {
  const { prow, cluster, scrape, findings } = await createWorld("off");
  await scrape();
  prow.play("incident");
  await scrape();
  const rules = ["prow-config-load-failing", "prow-contexts-retired", "prow-presubmits-collapsed"];
  const review = (...scopes: { clusters?: string[]; namespaces?: string[]; rollouts?: string[]; off: string[] }[]) =>
    reviewControllers({
      pool: recorder,
      clusters: [cluster],
      scopes: toOversightScopes(OversightConfig.parse(scopes)),
    });
  const open = async () => (await findings()).filter((each) => !each.endsWith("(closed)")).length;
  await review({ clusters: ["other"], off: rules });
  // Who is in charge of a namespace does not decide about what serves all of them.
  await review({ namespaces: ["prow"], off: rules });
  await review({ rollouts: ["status-*"], off: rules });
  expect(await open()).toBe(3);
  await review({ namespaces: ["prow"], off: rules }, { clusters: ["of*"], off: rules.slice(0, 2) });
  expect(await open()).toBe(1);
  await review();
  expect(await open()).toBe(3);
  await prow.close();
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
    scopes: [],
    clusters: [{ ...cluster, controllers: { ...cluster.controllers, endpoints: [] } }],
  });
  expect(await findings()).toEqual(["warning controller-down: Its metrics endpoint does not answer (closed)"]);
});
