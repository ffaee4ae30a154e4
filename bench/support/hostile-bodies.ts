/** The largest body of a viewer's request (lib/server/edge/http/parse-input.ts), and about the largest object of etcd. */
const maxBody = 64 * 1024;
const maxObject = 1_000_000;

const evaluate = "/api/v1/analysis/evaluate";
const assess = "/api/v1/analysis/assess";

/** Returns as many copies of an item as fit into this many characters of JSON. */
function fill<Item>(item: Item, size: number): Item[] {
  return Array.from({ length: Math.floor(size / (JSON.stringify(item).length + 1)) }, () => item);
}

const hardConditions = [
  "count(1..8, lastIndexOf(result, 'baaaaaaaaaaaaaaaa') == #) > 0",
  "all(1..100000, result matches '(a?){20}b')",
  "len(split(result, '')) > 1 && count(1..100000, result contains 'b') == 0",
];
const text = maxBody - 400;

export const smallBody = {
  name: "small",
  path: evaluate,
  body: JSON.stringify({ result: { type: "[]float64", value: [1] }, successCondition: "result[0] > 0" }),
};

export const hostileBodies: readonly { name: string; path: string; body: string }[] = [
  ...hardConditions.map((successCondition) => ({
    name: successCondition,
    path: evaluate,
    body: JSON.stringify({ result: { type: "string", value: "a".repeat(text) }, successCondition }),
  })),
  {
    name: "a condition as long as a body may be",
    path: evaluate,
    body: JSON.stringify({ result: { type: "nil" }, successCondition: `true${" && true".repeat(text / 8)}` }),
  },
  {
    name: "a list of empty maps",
    path: evaluate,
    body: JSON.stringify({ result: { type: "json", value: fill({}, text) }, successCondition: "len(result) > 0" }),
  },
  {
    name: "many metrics",
    path: assess,
    body: JSON.stringify({ spec: { metrics: fill({ name: "m", successCondition: "true" }, text) }, metricResults: [] }),
  },
  {
    name: "many metrics that are none",
    path: assess,
    body: JSON.stringify({ spec: { metrics: fill(0, text) }, metricResults: [] }),
  },
  {
    name: "many measurements",
    path: assess,
    body: JSON.stringify({
      spec: { metrics: [{ name: "m", successCondition: "true" }] },
      metricResults: [{ name: "m", measurements: fill({ phase: "Failed", value: "[1]" }, text) }],
    }),
  },
];

const at = "2026-11-20T10:00:00Z";

function runOf(name: string, metrics: { name: string; condition: string; measurements: object[] }[]): unknown {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "AnalysisRun",
    metadata: { name, namespace: "team-0" },
    spec: {
      metrics: metrics.map((metric) => ({
        name: metric.name,
        successCondition: metric.condition,
        provider: { web: { url: "http://metrics", jsonPath: "{$}" } },
      })),
    },
    status: {
      phase: "Successful",
      startedAt: at,
      completedAt: at,
      metricResults: metrics.map((metric) => ({
        name: metric.name,
        phase: "Successful",
        count: metric.measurements.length,
        successful: metric.measurements.length,
        measurements: metric.measurements,
      })),
    },
  };
}

const measured = (value: string) => ({ phase: "Successful", value, startedAt: at, finishedAt: at });

export const smallRun = (name: string): unknown =>
  runOf(name, [{ name: "m", condition: "result[0] > 0", measurements: [measured("[1]")] }]);

export const hostileRuns: readonly { name: string; object: unknown }[] = [
  ...hardConditions.map((condition, index) => ({
    name: `hard-condition-${index}`,
    object: runOf(`hard-condition-${index}`, [
      { name: "m", condition, measurements: [measured(JSON.stringify("a".repeat(maxObject - 5000)))] },
    ]),
  })),
  {
    name: "many-metrics",
    object: runOf(
      "many-metrics",
      Array.from({ length: 1500 }, (_, index) => ({
        name: `metric-${index}`,
        condition: "all(1..100000, # > 0)",
        measurements: [measured("[1]")],
      })),
    ),
  },
  {
    name: "many-measurements",
    object: runOf("many-measurements", [
      { name: "m", condition: "all(1..100000, # > 0)", measurements: fill(measured("[1]"), maxObject - 5000) },
    ]),
  },
];
