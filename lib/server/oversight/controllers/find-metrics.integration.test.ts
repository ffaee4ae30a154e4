import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { assessController } from "#lib/domain/controllers/assess-controller.ts";
import type { ScrapeState } from "#lib/domain/controllers/scrape-state.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { type PrometheusServer, type SampledSeries, startPrometheus } from "#test/prometheus-server.ts";
import { createScrapeWorld, scrapedCluster } from "#test/scrape-world.ts";
import { createTestPool } from "#test/test-pool.ts";
import { readController } from "./read-controllers.ts";
import { readSamples } from "./sample-rows.ts";

let database: TestDatabase;
let recorder: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  recorder = createTestPool(database.recorderUrl, 4);
});
afterAll(async () => {
  await recorder.end();
  await database.drop();
});

const createWorld = (cluster: ClusterConfig) => createScrapeWorld({ cluster, recorder });

async function stateOf(cluster: ClusterConfig, component: string): Promise<ScrapeState | undefined> {
  return (await readController(recorder, cluster, component))?.scrape;
}

const readSeries = (cluster: string, component: string, key: string) =>
  readSamples(recorder, { cluster, component, from: new Date(0), keys: [key] });

/** The series of a status-reconciler as a Prometheus has them. */
function reconcilerSeries(
  instance: string,
  seen: [ms: number, loaded: number | "stale", retired: number][],
  startedAt: number,
): SampledSeries[] {
  const labels = { job: "prow", instance };
  const valuesOf = (read: (each: (typeof seen)[number]) => number) =>
    seen.map((each): [number, string] => [each[0], each[1] === "stale" ? "stale" : String(read(each))]);
  const named = (name: string, values: [number, string][], more = {}) => ({
    name,
    labels: { ...labels, ...more },
    values,
  });
  return [
    named(
      "status_reconciler_loaded_presubmit_count",
      valuesOf(([, loaded]) => Number(loaded)),
    ),
    named(
      "status_reconciler_contexts_retired_total",
      valuesOf(([, , retired]) => retired),
      { org: "o", repo: "r" },
    ),
    named(
      "process_start_time_seconds",
      valuesOf(() => startedAt / 1000),
    ),
  ];
}

describe("a Prometheus that scrapes many", () => {
  let prometheus: PrometheusServer;
  beforeAll(async () => {
    prometheus = await startPrometheus();
  });
  beforeEach(() => {
    Object.assign(prometheus, { series: [], asked: [], instead: undefined });
  });
  afterAll(() => prometheus.close());

  const worldOf = (name: string, more: object = {}) => {
    const cluster = scrapedCluster(name, [], { prometheus: { url: prometheus.url, ...more } });
    return { cluster, world: createWorld(cluster) };
  };
  const pointsOf = async (cluster: string, key: string) =>
    (await readSeries(cluster, "status-reconciler", key)).map(
      ({ labels, points }) => `${labels.target ?? ""}: ${points.map(({ value }) => value).join(" ")}`,
    );

  it("has a pod that replaces another: nothing is added up over both", async () => {
    const { cluster, world } = worldOf("replaced");
    const now = Date.now();
    const [older, newer] = [now - 86_400_000, now - 30_000];
    const old = (...seen: [number, number | "stale", number][]) => reconcilerSeries("old:9090", seen, older);
    prometheus.series = old([now - 5000, 1284, 40]);
    await world.scrape();
    // The new one has loaded nothing yet, and the old one still answers.
    prometheus.series = [...old([now - 4000, 1284, 41]), ...reconcilerSeries("new:9090", [[now - 4000, 0, 0]], newer)];
    await world.scrape();
    prometheus.series = [
      ...old([now - 4000, 1284, 41], [now - 3000, "stale", 0]),
      ...reconcilerSeries("new:9090", [[now - 3000, 1280, 2]], newer),
    ];
    await world.scrape();
    expect(world.errors).toEqual([]);
    expect(await pointsOf("replaced", "presubmits")).toEqual([": 1284 0 1280"]);
    expect(await pointsOf("replaced", "contexts-retired")).toEqual(["prow old:9090: 40 41", "prow new:9090: 0 2"]);
    expect(await stateOf(cluster, "status-reconciler")).toMatchObject({
      ...{ restarts: 1, startedAt: new Date(newer).toISOString(), error: null },
    });
  });

  it("does not tell of what it keeps of a process that is gone", async () => {
    const { cluster, world } = worldOf("left-behind");
    const now = Date.now();
    prometheus.series = [
      // It vanished while Prometheus did not run: nothing marks its end.
      ...reconcilerSeries("gone:9090", [[now - 200_000, 99, 9]], now - 300_000),
      ...reconcilerSeries("live:9090", [[now - 60_000, 1284, 3]], now - 86_400_000),
    ];
    await world.scrape();
    expect(await pointsOf("left-behind", "presubmits")).toEqual([": 1284"]);
    expect(await pointsOf("left-behind", "contexts-retired")).toEqual(["prow live:9090: 3"]);
    prometheus.series = reconcilerSeries("live:9090", [[now - 200_000, 1284, 3]], now - 86_400_000);
    await world.scrape();
    expect(await stateOf(cluster, "status-reconciler")).toMatchObject({ error: { code: "not-found" } });
  });

  it("adds up itself what is not kept apart, and has the labels that a target changed", async () => {
    const { world } = worldOf("folded");
    const at = Date.now();
    const own = { job: "argo (eu|us)", instance: "10.0.0.1:8090", name: "target" };
    const series = (name: string, value: number, labels = {}): SampledSeries => ({
      ...{ name, labels: { ...own, ...labels }, values: [[at, String(value)]] },
    });
    prometheus.series = [
      series("argo_rollouts_controller_info", 1, { version: "v1.9.3" }),
      series("workqueue_depth", 4, { exported_name: "Rollouts" }),
      series("workqueue_depth", 2, { exported_name: "AnalysisRuns" }),
      ...["a", "b", "c"].flatMap((rollout) => [
        series("rollout_reconcile_error", 2, { exported_name: rollout }),
        series("rollout_reconcile_bucket", 3, { exported_name: rollout, le: "0.01" }),
        series("rollout_reconcile_bucket", 5, { exported_name: rollout, le: "+Inf" }),
      ]),
    ];
    await world.scrape();
    const read = async (key: string) =>
      (await readSeries("folded", "argo-rollouts", key)).map(({ labels: { target, ...labels }, points }) => [
        ...Object.values(labels),
        points.at(-1)?.value,
      ]);
    expect(await read("reconcile-errors")).toEqual([[6]]);
    expect((await read("queue-depth")).toSorted()).toEqual([
      ["AnalysisRuns", 2],
      ["Rollouts", 4],
    ]);
    expect((await read("reconcile")).toSorted()).toEqual([
      ["+Inf", 15],
      ["0.01", 9],
    ]);
    // One question per component that is not there, and few for the one that is.
    expect(prometheus.asked.filter(({ query }) => query.includes("argo_rollouts_controller_info"))).toHaveLength(2);
    expect(prometheus.asked.every(({ query }) => query.length < 4000)).toBe(true);
  });

  const silences: { name: string; instead?: PrometheusServer["instead"]; more?: object; code: string }[] = [
    { name: "refuses our token", instead: { status: 401, body: "{}" }, code: "denied" },
    { name: "is overloaded", instead: { status: 503, body: "{}" }, code: "refused" },
    { name: "answers a page", instead: { status: 200, body: "<html>" }, code: "malformed" },
    { name: "is not there", more: { url: "http://127.0.0.1:1" }, code: "unreachable" },
    { name: "has a token that cannot be read", more: { tokenFile: "/nowhere/token" }, code: "credentials" },
  ];
  it.each(silences)("says nothing of controllers if it $name", async ({ name, instead, more, code }) => {
    const known = `silent ${name}`.replaceAll(" ", "-");
    const now = Date.now();
    prometheus.series = reconcilerSeries("one:9090", [[now, 9, 0]], now);
    await worldOf(known).world.scrape();
    prometheus.instead = instead;
    const { cluster, world } = worldOf(known, more);
    await world.scrape();
    await world.scrape();
    expect(await stateOf(cluster, "status-reconciler")).toMatchObject({ error: { code }, consecutiveFailures: 2 });
    const facts = await readController(recorder, cluster, "status-reconciler");
    expect(facts && assessController(facts)).toMatchObject({ state: "unknown", reason: "prometheus-silent" });
    // What it never had may not exist.
    expect(await stateOf(cluster, "argo-rollouts")).toBeUndefined();
  });

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
    const cluster = scrapedCluster("prometheus", [], { prometheus: { url: prometheus.url } });
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
