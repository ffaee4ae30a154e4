import { afterAll, beforeAll, expect, it } from "vitest";
import { AnalysisRunDetail, AnalysisRunSummary, Measurement } from "#lib/contract/analysis-run.ts";
import { listOf } from "#lib/contract/common.ts";
import { Release } from "#lib/contract/rollout.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { checkDueVerdicts } from "#lib/server/recording/upkeep/check-verdicts.ts";
import { connectRecorded, type MeasurementFields, type Recorded } from "#test/recorded.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import * as measurementsRoute from "./analysis-runs/[uid]/measurements/route.ts";
import * as runRoute from "./analysis-runs/[uid]/route.ts";
import * as runsRoute from "./analysis-runs/route.ts";
import * as releasesRoute from "./releases/route.ts";

let web: TestWeb;
let recorded: Recorded;
beforeAll(async () => {
  web = await startTestWeb();
  recorded = await connectRecorded(web.database.recorderUrl);
});
afterAll(async () => {
  await recorded.close();
  await web.close();
});

const rate = {
  name: "rate",
  interval: "1m",
  count: 2,
  failureLimit: 0,
  initialDelay: "5m",
  successCondition: "result[0] >= {{args.min}}",
  failureCondition: "result[0] < 0.9",
  provider: { prometheus: { query: "up" } },
};
const spec = { metrics: [rate], args: [{ name: "min", value: "0.95" }] };

async function addRun(values: MeasurementFields[]) {
  const rollout = await recorded.addRollout();
  const { namespace } = rollout;
  const metrics = [{ name: "rate", count: values.length, successful: values.length }];
  const { uid } = await recorded.addRun({ rolloutId: rollout.id, namespace, phase: "Successful", spec, metrics });
  await recorded.addMeasurements({ rolloutId: rollout.id, uid, metric: "rate", values });
  return { uid, namespace, rolloutId: rollout.id };
}

async function read(route: typeof runRoute, uid: string): Promise<AnalysisRunDetail> {
  const request = web.request(`/api/v1/analysis-runs/${uid}`, { as: "viewer" });
  return AnalysisRunDetail.parse(await (await route.GET(request, { params: Promise.resolve({ uid }) })).json());
}

async function check(): Promise<void> {
  const pool = createRecorderPool({ url: web.database.recorderUrl, onError: () => {} });
  const { evaluations, log } = web.runtime;
  await checkDueVerdicts({ pool, evaluations, log }).finally(() => pool.end());
}

it("shows what the recorder found, and in the list whether it is a contradiction", async () => {
  const good = await addRun([
    { seq: 1, value: "[0.97]", kind: "array", parsed: 0.97 },
    { seq: 2, value: "[0.96]", kind: "array", parsed: 0.96 },
  ]);
  const forced = await addRun([
    { seq: 1, value: "[0.97]", kind: "array", parsed: 0.97 },
    { seq: 2, value: "[0.8]", kind: "array", parsed: 0.8 },
  ]);
  expect((await read(runRoute, good.uid)).verdictCheck).toBeNull();
  await check();

  const agreed = await read(runRoute, good.uid);
  expect(agreed).toMatchObject({
    contradiction: false,
    verdict: "Successful: the metric stayed within the limits, with 2 successful measurements.",
    start: "rate is first measured 5m after the run starts (initialDelay).",
    verdictCheck: { state: "agrees", findings: [] },
  });
  expect(agreed.metrics[0]).toMatchObject({
    explanation: "rate: 2 of 2 successful; failures allowed: 0.",
    conditionsDrawn: true,
    thresholds: [
      { text: "0.95", region: "above" },
      { text: "0.9", region: "below" },
    ],
  });

  const contradicted = await read(runRoute, forced.uid);
  expect(contradicted.contradiction).toBe(true);
  expect(contradicted.verdict).toBe("Recorded as Successful, but its measurements give Failed.");
  expect(contradicted.verdictCheck?.findings[0]).toEqual({
    kind: "contradiction",
    rule: "measurement",
    metric: "rate",
    seq: 2,
    text: "No. 2 is recorded as Successful, but the rules give Failed: 0.8 < 0.9, so it fails.",
  });
  const request = web.request(`/api/v1/analysis-runs?namespace=${forced.namespace}`, { as: "viewer" });
  const list = listOf(AnalysisRunSummary).parse(await (await runsRoute.GET(request)).json());
  expect(list.items.map(({ contradiction }) => contradiction)).toEqual([true]);

  await recorded.addRelease({ rolloutId: forced.rolloutId, startedAt: new Date(0) });
  const asked = web.request(`/api/v1/releases?namespace=${forced.namespace}`, { as: "viewer" });
  const releases = listOf(Release).parse(await (await releasesRoute.GET(asked)).json());
  const runs = { total: 1, byPhase: { Successful: 1 }, contradicted: { Successful: 1 } };
  expect(releases.items.map((release) => release.runs)).toEqual([runs]);
});

it("says why each measurement has its phase", async () => {
  const { uid } = await addRun([
    { seq: 1, value: "[0.9712]", kind: "array", parsed: 0.9712 },
    { seq: 2, value: "[0.93]", kind: "array", parsed: 0.93, phase: "Inconclusive" },
    { seq: 3, value: "[NaN]", kind: "array", parsed: null, phase: "Inconclusive" },
  ]);
  for (const query of ["limit=10", "points=10"]) {
    const request = web.request(`/api/v1/analysis-runs/${uid}/measurements?${query}`, { as: "viewer" });
    const response = await measurementsRoute.GET(request, { params: Promise.resolve({ uid }) });
    const { items } = listOf(Measurement).parse(await response.json());
    expect(items.map(({ explanation }) => explanation)).toEqual([
      "0.9712 ≥ 0.95, so it passes.",
      "0.93 neither passes (≥ 0.95) nor fails (< 0.9).",
      "NaN compares false: it neither passes (≥ 0.95) nor fails (< 0.9).",
    ]);
  }
});
