import { describe, expect, it } from "vitest";
import { parseKubeObject } from "#lib/domain/kube/kube-object.ts";
import { AnalysisRunObject, parseAnalysisRun, parseRunSpec } from "./analysis-run-object.ts";

type Shape = Record<string, unknown>;

const metric = {
  name: "m",
  interval: "1m",
  count: 3,
  failureLimit: "2",
  successCondition: "true",
  provider: { web: {} },
  other: 1,
};
const measurement = {
  phase: "Failed",
  message: "m",
  value: "[1]",
  startedAt: "a",
  finishedAt: "b",
  metadata: { k: "v" },
};
const result = {
  ...{ name: "m", phase: "Failed", message: "", count: 1, successful: 1, failed: 0, inconclusive: 0, error: 0 },
  ...{ consecutiveError: 0, consecutiveSuccess: 1, dryRun: false, metadata: { k: "v" }, other: [1] },
};
const argument = { name: "a", value: "v", valueFrom: { secretKeyRef: { name: "s" } }, other: 1 };
const dryRun = { metricName: "m", other: 1 };

/** Each part follows a valid one. */
const places: readonly { part: string; sound: Shape; run: (part: unknown) => Shape }[] = [
  { part: "metric", sound: metric, run: (each) => ({ spec: { metrics: [metric, each] } }) },
  { part: "argument", sound: argument, run: (each) => ({ spec: { args: [argument, each] } }) },
  { part: "dry run", sound: dryRun, run: (each) => ({ spec: { dryRun: [dryRun, each] } }) },
  { part: "result", sound: result, run: (each) => ({ status: { metricResults: [result, each] } }) },
  {
    part: "measurement",
    sound: measurement,
    run: (each) => ({ status: { metricResults: [result, { ...result, measurements: [measurement, each] }] } }),
  },
];

const missing = Symbol("missing");
const odd = [
  ...[
    missing,
    null,
    "",
    "x",
    0,
    -1,
    -1.5,
    1e8 + 1,
    Number.POSITIVE_INFINITY,
    true,
    {},
    [],
    ["x"],
    { k: "v" },
    { k: 1 },
  ],
  ...[
    JSON.parse('{"constructor": "x"}'),
    JSON.parse('{"__proto__": "x"}'),
    { secretKeyRef: null },
    { secretKeyRef: 1 },
  ],
];
const fields = [
  ...[
    "name",
    "metricName",
    "phase",
    "message",
    "value",
    "startedAt",
    "finishedAt",
    "interval",
    "initialDelay",
    "count",
  ],
  ...["successCondition", "failureCondition", "failureLimit", "inconclusiveLimit", "consecutiveErrorLimit", "provider"],
  ...[
    "consecutiveSuccessLimit",
    "valueFrom",
    "measurements",
    "successful",
    "failed",
    "inconclusive",
    "error",
    "dryRun",
  ],
  ...["consecutiveError", "consecutiveSuccess", "metadata", "unknown", "constructor"],
];

function withField(sound: Shape, field: string, value: unknown): Shape {
  const { [field]: _, ...rest } = sound;
  return value === missing ? rest : { ...rest, [field]: value };
}

function runOf({ spec = {}, status = {} }: Shape): Shape {
  const metadata = { name: "r", uid: "u", resourceVersion: "1" };
  return { kind: "AnalysisRun", metadata, spec, status };
}

const bySchema = (object: unknown) => parseKubeObject(AnalysisRunObject, object);

describe("an analysis run read by hand", () => {
  it.each(places)("is what its schema makes of it, and refused with the same words: $part", ({ sound, run }) => {
    const parts = [...odd, ...fields.flatMap((field) => odd.map((value) => withField(sound, field, value)))];
    for (const part of parts.filter((each) => each !== missing)) {
      const object = runOf(run(part));
      expect(parseAnalysisRun(object), JSON.stringify(object)).toEqual(bySchema(object));
    }
  });

  it.each([
    null,
    "run",
    [],
    {},
    runOf({ spec: null }),
    runOf({ spec: { metrics: null, args: null, dryRun: null }, status: null }),
    runOf({ spec: { metrics: {} } }),
    runOf({ status: { metricResults: "many" } }),
    { ...runOf({ spec: { metrics: [1] } }), kind: "Rollout" },
    runOf({ spec: { metrics: [metric, 1], args: [1] }, status: { metricResults: [1], phase: 1 } }),
    runOf({ status: { phase: 1, metricResults: [{ ...result, measurements: [measurement, 1, 2], name: 1 }] } }),
    runOf({ status: { metricResults: [{ ...result, measurements: [measurement, 1], count: "1" }] } }),
  ])("is refused for the first that does not fit, as by its schema: %j", (object) => {
    expect(parseAnalysisRun(object)).toEqual(bySchema(object));
  });

  it.each([-1, 0.5, 100_000_001, 2 ** 31 - 1])("is refused with a counter that no controller writes: %d", (count) => {
    for (const wrong of [
      { ...result, error: count },
      { ...result, count, measurements: [measurement] },
    ])
      expect(parseAnalysisRun(runOf({ status: { metricResults: [result, wrong] } }))).toMatchObject({
        ok: false,
        reason: expect.stringMatching(/^status\.metricResults\.1\.(count|error): /),
      });
    expect(parseAnalysisRun(runOf({ status: { runSummary: { failed: count } } })).ok).toBe(false);
    const most = runOf({ status: { metricResults: [{ ...result, count: 100_000_000 }] } });
    expect(parseAnalysisRun(most).ok).toBe(true);
  });

  it("names the place in the whole list, far behind in it too", () => {
    const measurements = Array.from({ length: 3000 }, () => measurement);
    const wrong = { ...result, measurements: [...measurements, { value: 1 }] };
    expect(parseAnalysisRun(runOf({ status: { metricResults: [...Array(40).fill(result), wrong] } }))).toEqual({
      ok: false,
      reason: expect.stringContaining("status.metricResults.40.measurements.3000.value: "),
    });
  });

  it.each([
    { spec: { metrics: [metric, { name: "n", count: null }], measurementRetention: null }, names: ["m", "n"] },
    { spec: { metrics: [metric, { name: 1 }] }, names: undefined },
    { spec: { metrics: [metric], measurementRetention: [{ metricName: "m", limit: "x" }] }, names: undefined },
    { spec: { metrics: null }, names: [] },
    { spec: null, names: undefined },
    { spec: undefined, names: undefined },
  ])("its stored rules alike: $spec", ({ spec, names }) => {
    expect(parseRunSpec(spec)?.metrics.map(({ name }) => name)).toEqual(names);
  });
});
