import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import type { z } from "zod";
import { ensureDemoRows } from "#demo/ensure-demo-rows.ts";
import { AnalysisRunDetail, AnalysisRunSummary, Measurement } from "#lib/contract/analysis-run.ts";
import { listOf } from "#lib/contract/common.ts";
import { RolloutDetail, RolloutSummary } from "#lib/contract/rollout.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { loadManifests } from "#sandbox/apiserver/load-manifests.ts";
import { type ConformanceCase, loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { createRecorderWorld, type RecorderWorld } from "#test/recorder-world.ts";
import { startTestWeb, type TestWeb, testAccounts } from "#test/web-runtime.ts";
import * as measurementsRoute from "./analysis-runs/[uid]/measurements/route.ts";
import * as runRoute from "./analysis-runs/[uid]/route.ts";
import * as runsRoute from "./analysis-runs/route.ts";
import * as rolloutRoute from "./rollouts/[cluster]/[namespace]/[kind]/[name]/route.ts";
import * as rolloutsRoute from "./rollouts/route.ts";

/** Upstream's own test objects: read from their directory next to the checkout, never copied into it. */
const upstream = join(import.meta.dirname, "../../../../shared/data/argo");
const testdata = join(upstream, "pkg/kubectl-argo-rollouts/info/testdata");

type ViewCase = ConformanceCase & {
  testdataDir: string;
  rolloutFile: string;
  expect: {
    status: string;
    message: string;
    strategy?: string;
    step?: string;
    setWeight?: string;
    actualWeight?: string;
    images?: Record<string, string[]>;
  };
};
const viewCases = loadCases<ViewCase>("rollout-view");

type Result = {
  name: string;
  count?: number;
  error?: number;
  measurements?: { phase: string; value?: string; finishedAt?: string }[];
};
type Manifest = {
  kind: string;
  metadata: { name: string };
  status?: { phase?: string; message?: string; metricResults?: Result[] };
};
type Loaded = { namespace: string; file: string; object: Manifest };

function readAll(kind: string): Loaded[] {
  if (!existsSync(testdata)) return [];
  return readdirSync(testdata, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".yaml"))
    .flatMap((file) =>
      parseAllDocuments(readFileSync(join(testdata, file), "utf8"))
        .map((document) => document.toJS() as Manifest)
        .filter((object) => object?.kind === kind)
        .map((object) => ({ namespace: file.split(sep)[0] ?? "", file: basename(file), object })),
    );
}

const rollouts = readAll("Rollout");
const runs = readAll("AnalysisRun");

describe.skipIf(!existsSync(testdata))("upstream's test objects (beside the checkout), from cluster to API", () => {
  let world: RecorderWorld;
  let web: TestWeb;
  let listed: RolloutSummary[];
  let listedRuns: AnalysisRunSummary[];

  beforeAll(async () => {
    world = await createRecorderWorld();
    loadManifests({ store: world.sandbox.store, directory: testdata, uid: randomUUID });
    await world.start();
    web = await startTestWeb({
      databaseUrl: world.database.webUrl,
      config: { clusters: [{ name: world.cluster, server: world.sandbox.url, access: "act" }] },
    });
    await ensureDemoRows(world.database.ownerUrl, { accounts: testAccounts, tokens: web.tokens, credentials: [] });
    listed = (await get({ route: rolloutsRoute, path: "/api/v1/rollouts?limit=200", schema: listOf(RolloutSummary) }))
      .items;
    listedRuns = (
      await get({ route: runsRoute, path: "/api/v1/analysis-runs?limit=200", schema: listOf(AnalysisRunSummary) })
    ).items;
  });
  afterAll(async () => {
    await web.close();
    await world.close();
  });

  async function get<Schema extends z.ZodType>({
    route,
    path,
    params = {},
    schema,
  }: {
    route: { GET: RouteHandler };
    path: string;
    params?: Record<string, string>;
    schema: Schema;
  }): Promise<z.infer<Schema>> {
    const response = await route.GET(web.request(path, { as: "operator" }), { params: Promise.resolve(params) });
    expect(response.status).toBe(200);
    return schema.parse(await response.json());
  }

  const showRollout = (namespace: string, name: string): Promise<RolloutDetail> => {
    const params = { cluster: world.cluster, namespace, kind: "Rollout", name };
    const path = `/api/v1/rollouts/${Object.values(params).join("/")}`;
    return get({ route: rolloutRoute, path, params, schema: RolloutDetail });
  };

  it("lists every rollout and every analysis run of the files, once", () => {
    const place = ({ namespace, name }: { namespace: string; name: string }) => `${namespace}/${name}`;
    const placeOf = ({ namespace, object }: Loaded) => `${namespace}/${object.metadata.name}`;
    expect(rollouts.length).toBeGreaterThanOrEqual(11);
    expect(listed.map(place).toSorted()).toEqual(rollouts.map(placeOf).toSorted());
    expect(runs.length).toBeGreaterThanOrEqual(3);
    expect(listedRuns.map(place).toSorted()).toEqual(runs.map(placeOf).toSorted());
  });

  it.each(rollouts)("shows $namespace/$file as it lists it", async ({ namespace, object }) => {
    const { name } = object.metadata;
    const summary = listed.find((item) => item.namespace === namespace && item.name === name);
    const { phase, message, step, stepCount, weight, images, viewDigest } = await showRollout(namespace, name);
    expect(summary).toMatchObject({ phase, message, step, stepCount, weight, images, viewDigest });
  });

  it.each(viewCases)("$id: phase and message of $rolloutFile", async ({ testdataDir, rolloutFile, expect: wanted }) => {
    const namespace = basename(testdataDir);
    const found = rollouts.find((rollout) => rollout.namespace === namespace && rollout.file === rolloutFile);
    const rollout = await showRollout(namespace, found?.object.metadata.name ?? rolloutFile);
    expect(rollout).toMatchObject({ phase: wanted.status, message: wanted.message });
    if (wanted.strategy !== undefined) expect(rollout.strategy).toBe(wanted.strategy);
    if (wanted.step) expect(`${rollout.step}/${rollout.stepCount}`).toBe(wanted.step);
    // Objects that share a uid got distinct ones, so that the folder's ReplicaSets belong only to the first.
    if (found !== rollouts.find((rollout) => rollout.namespace === namespace)) return;
    if (wanted.images !== undefined)
      expect(Object.fromEntries(rollout.images.map(({ image, tags }) => [image, tags]))).toEqual(wanted.images);
    if (wanted.actualWeight !== undefined)
      expect(rollout.weight).toEqual({ set: Number(wanted.setWeight), actual: Number(wanted.actualWeight) });
  });

  it.each(runs)("shows the run of $namespace/$file with all its measurements", async ({ namespace, object }) => {
    const { metadata, status = {} } = object;
    const summary = listedRuns.find((run) => run.namespace === namespace && run.name === metadata.name);
    const params = { uid: summary?.uid ?? "" };
    const path = `/api/v1/analysis-runs/${params.uid}`;
    const run = await get({ route: runRoute, path, params, schema: AnalysisRunDetail });
    expect(run).toMatchObject({ phase: status.phase, message: status.message ?? "" });
    const wanted = (status.metricResults ?? []).flatMap((result) =>
      (result.measurements ?? []).map(({ phase, value }) => ({ metric: result.name, phase, value: value ?? null })),
    );
    const { items } = await get({
      route: measurementsRoute,
      path: `${path}/measurements`,
      params,
      schema: listOf(Measurement),
    });
    expect(items.map(({ metric, phase, value }) => ({ metric, phase, value }))).toEqual(wanted);
    // A measurement that the controller counted as finished but the file lacks is a gap of known size.
    const lost = (status.metricResults ?? []).reduce((sum, { count = 0, error = 0, measurements = [] }) => {
      const finished = measurements.filter(({ finishedAt }) => finishedAt !== undefined);
      return sum + count + error - finished.length;
    }, 0);
    expect(run.lostMeasurements).toBe(lost);
  });
});
