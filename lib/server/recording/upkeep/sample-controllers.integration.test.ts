import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readRelatedState } from "#lib/server/clusters/sources/read-related-state.ts";
import { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { deriveAllRuns, readRealFlaggerLines, recordFlagger, uidIn } from "#test/flagger-recording.ts";
import { storedMeasurements } from "#test/measurement-rows.ts";
import { type PrometheusServer, startPrometheus } from "#test/prometheus-server.ts";
import { createTestPool } from "#test/test-pool.ts";
import { sampleControllers } from "./sample-controllers.ts";

const lines = readRealFlaggerLines();
const folder = mkdtempSync(join(tmpdir(), "gatehouse-prometheus-"));
const tokenFile = join(folder, "token");
let database: TestDatabase;
let owner: Pool;
let recorder: Pool;
let prometheus: PrometheusServer;

beforeAll(async () => {
  writeFileSync(tokenFile, "secret\n");
  database = await createTestDatabase();
  owner = createTestPool(database.ownerUrl, 2);
  recorder = createTestPool(database.recorderUrl, 4);
  prometheus = await startPrometheus();
});
beforeEach(() => {
  prometheus.series = [];
  prometheus.asked = [];
  prometheus.instead = undefined;
});
afterAll(async () => {
  await prometheus.close();
  await Promise.all([owner.end(), recorder.end()]);
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

const labels = { namespace: "canary", name: "f-ok", workload: "f-ok" };
const info = {
  name: "flagger_info",
  labels: { version: "1.44.0", mesh_provider: "nginx" },
  values: pointsAt([Date.now(), "1"]),
};
const successes = (...values: [string, string][]) => ({
  name: "flagger_canary_metric_analysis",
  labels: { ...labels, metric: "success" },
  values: values.map(([time, value]): [number, string] => [Date.parse(`2026-11-22T${time}Z`), value]),
});
const weights = (...values: [number, string][]) => ({
  name: "flagger_canary_weight",
  labels,
  values: pointsAt(...values),
});

function pointsAt(...values: [number, string][]): [number, string][] {
  return values;
}

/** Records what the real controller wrote until then, in a cluster of that name. */
async function recordUntil(cluster: string, until: string): Promise<string> {
  await recordFlagger(
    recorder,
    lines.filter(({ at }) => at < until),
    cluster,
  );
  await deriveAllRuns(recorder);
  const name = lines.find(({ object }) => object.kind === "Canary" && object.metadata.name === "f-ok");
  const { rows } = await owner.query<{ id: string }>("SELECT id FROM rollout WHERE uid = $1", [
    uidIn(cluster, name?.object.metadata.uid ?? ""),
  ]);
  return rows[0]?.id ?? "";
}

async function sample(cluster: string, more: object = {}): Promise<{ count: number; errors: string[] }> {
  const errors: string[] = [];
  const config = ClusterConfig.parse({
    ...{ name: cluster, server: "http://127.0.0.1:1" },
    controllers: { prometheus: { url: prometheus.url, ...more } },
  });
  const count = await sampleControllers({
    pool: recorder,
    clusters: [config, { ...config, name: "without", controllers: { ...config.controllers, prometheus: undefined } }],
    signal: AbortSignal.timeout(120_000),
    onError: (error) => errors.push(String(error)),
  });
  return { count, errors };
}

async function readValues(id: string): Promise<unknown> {
  const { rows } = await owner.query(
    `SELECT seq, phase, value FROM ${storedMeasurements()} WHERE rollout_id = $1 AND metric = 'success' ORDER BY seq`,
    [id],
  );
  return rows.map(({ seq, phase, value }) => `${seq} ${phase} ${value}`);
}

async function relatedStateOf(cluster: string, id: string) {
  const rollout = { id, cluster, namespace: "canary", kind: "Canary", workloads: [] };
  return (await readRelatedState(recorder, [rollout])).get(id);
}

describe("a controller's own metrics", () => {
  it("give the rounds that passed their values, each its own", async () => {
    const id = await recordUntil("values", "2026-11-22T07:09:10");
    expect(await readValues(id)).toEqual(["1 Successful null", "2 Successful null", "3 Successful null"]);
    prometheus.series = [
      info,
      successes(
        // Before the first round, then in the middle of it, too close to the second, and what no pass can be.
        ["07:08:40", "0.5"],
        ["07:08:50", "0.95"],
        ["07:08:58.500", "0.96"],
        ["07:09:00", "NaN"],
        ["07:09:02", "0.97"],
        ["07:09:08", "0.1"],
      ),
    ];
    const { count, errors } = await sample("values");
    expect([count > 0, errors]).toEqual([true, []]);
    await deriveAllRuns(recorder);
    expect(await readValues(id)).toEqual(["1 Successful 0.95", "2 Successful 0.97", "3 Successful null"]);
    expect((await sample("values")).count).toBe(0);
  });

  it("say the weight, the version and the router, and show the canary again", async () => {
    const id = await recordUntil("weights", "2026-11-22T07:08:50");
    expect(await relatedStateOf("weights", id)).toMatchObject({ defaultRouter: undefined, sampledWeight: undefined });
    const now = Date.now();
    prometheus.series = [info, weights([now - 40_000, "20"], [now - 25_000, "20"], [now - 10_000, "35"])];
    await sample("weights");
    expect(await relatedStateOf("weights", id)).toMatchObject({
      ...{ controllerVersion: "1.44.0", defaultRouter: "nginx" },
      sampledWeight: { at: new Date(now - 10_000).toISOString(), value: 35 },
    });
    const read = async () => {
      const { rows } = await owner.query("SELECT weight_actual AS weight FROM rollout WHERE id = $1", [id]);
      const stored = await owner.query(
        "SELECT value FROM rollout_sample WHERE rollout_id = $1 AND what = 'weight' ORDER BY at",
        [id],
      );
      return { weight: rows[0]?.weight, stored: stored.rows.map(({ value }) => value) };
    };
    // What stays the same is stored once.
    expect(await read()).toEqual({ weight: 35, stored: [20, 35] });
    prometheus.series = [info, weights([now - 10_000, "35"], [now - 1000, "40"])];
    await sample("weights");
    expect(await read()).toEqual({ weight: 40, stored: [20, 35, 40] });
  });

  it("are asked for with the labels of the cluster", async () => {
    await sample("labels", { matchers: ['cluster="prod-eu"', 'region=~"eu.*"'] });
    expect(prometheus.asked[0]?.query).toBe('flagger_info{cluster="prod-eu",region=~"eu.*"}[120s]');
  });

  it("are asked for with the token", async () => {
    await sample("token", { tokenFile });
    expect(prometheus.asked).toEqual(
      ["flagger_info", "flagger_canary_weight", "flagger_canary_metric_analysis"].map((name) => ({
        ...{ query: `${name}[120s]`, token: "Bearer secret" },
      })),
    );
  });

  it.each([
    { name: "refuses", instead: { status: 401, body: "{}" }, words: /answered 401/ },
    { name: "redirects", instead: { status: 302, body: "" }, words: /answered 302/ },
    { name: "answers a page", instead: { status: 200, body: "<html>" }, words: /something else than a matrix/ },
  ])("are an error that is told if Prometheus $name", async ({ instead, words }) => {
    prometheus.instead = instead;
    const { count, errors } = await sample("errors");
    expect([count, errors.length, words.test(errors[0] ?? "")]).toEqual([0, 1, true]);
  });
});
