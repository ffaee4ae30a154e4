import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AnalysisRunDetail, Measurement } from "#lib/contract/analysis-run.ts";
import { deriveAllRuns, readRealFlaggerLines, recordFlagger } from "#test/flagger-recording.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { GET as getMeasurements } from "./[uid]/measurements/route.ts";
import { GET as getRun } from "./[uid]/route.ts";

let web: TestWeb;
let uid: string;

beforeAll(async () => {
  web = await startTestWeb();
  const recorder = createTestPool(web.database.recorderUrl, 4);
  const lines = readRealFlaggerLines().filter(({ object }) => JSON.stringify(object).includes('"f-fail'));
  await recordFlagger(recorder, lines, "real");
  await deriveAllRuns(recorder);
  const { rows } = await recorder.query<{ uid: string }>("SELECT uid FROM analysis_run");
  uid = rows[0]?.uid ?? "";
  await recorder.end();
});
afterAll(() => web.close());

const read = async (handler: typeof getRun, path: string): Promise<unknown> => {
  const response = await handler(web.request(path, { as: "viewer" }), { params: Promise.resolve({ uid }) });
  expect(response.status).toBe(200);
  return response.json();
};

describe("a run that was derived from messages", () => {
  it("has its limits, its words and its rollout", async () => {
    const run = AnalysisRunDetail.parse(await read(getRun, `/api/v1/analysis-runs/${uid}`));
    expect(run).toMatchObject({
      name: "f-fail-7dbcfcc999",
      type: "Release",
      presence: "derived",
      phase: "Failed",
      rollout: { kind: "Canary", name: "f-fail" },
      measurements: 3,
      verdict: "Failed: 3 of 3 success measurements failed.",
    });
    expect(run.metrics).toMatchObject([
      {
        name: "success",
        phase: "Failed",
        conditionsDrawn: true,
        thresholds: [{ accessor: "result", operator: ">=", value: 0.9, text: "0.9", inclusive: true }],
        explanation: "3 known checks: 3 failed. Flagger's messages tell values only of checks that failed.",
        gaps: [],
      },
    ]);
    expect(run.evidence).toMatchObject([{ values: [0.2, 0.2, 0.2], pass: "≥ 0.9", limit: null }]);
  });

  it("explains what failed, with the value", async () => {
    const { items } = (await read(getMeasurements, `/api/v1/analysis-runs/${uid}/measurements`)) as {
      items: unknown[];
    };
    expect(items.map((item) => Measurement.parse(item))).toMatchObject(
      [1, 2, 3].map((seq) => ({
        ...{ seq, phase: "Failed", value: "0.2", parsed: { kind: "number", number: 0.2 } },
        explanation: "0.2 is below the minimum of 0.9.",
      })),
    );
  });
});
