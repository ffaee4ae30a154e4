import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AssessAnswer, ComposeAnswer, PhaseVerdict } from "#lib/contract/analysis-engine.ts";
import { Problem } from "#lib/contract/problem.ts";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { signIn } from "#test/sign-in.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { POST as assess } from "./assess/route.ts";
import { POST as compose } from "./compose/route.ts";
import { POST as evaluate } from "./evaluate/route.ts";

const handlers = { evaluate, assess, compose };
type Name = keyof typeof handlers;

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb();
});
afterAll(() => web.close());

async function post(name: Name, body: unknown): Promise<{ status: number; body: unknown }> {
  const path = `/api/v1/analysis/${name}`;
  const request = web.request(path, {
    as: "viewer",
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const response = await handlers[name](request);
  return { status: response.status, body: await response.json() };
}

async function refusal(name: Name, body: unknown): Promise<Problem> {
  const answer = await post(name, body);
  expect(answer.status).toBe(400);
  const problem = Problem.parse(answer.body);
  expect(problem.code).toBe("invalid_request");
  return problem;
}

type Text = null | { equals?: string; contains?: string[]; any?: true };
type ConditionCase = {
  id: string;
  result: unknown;
  successCondition: string;
  failureCondition: string;
  expect: { phase: string; error?: Text };
};

const conditionCases = [
  ...loadCases<ConditionCase>("analysis-evaluate-result"),
  ...loadCases<ConditionCase>("analysis-observed-condition"),
];

it.each(conditionCases)("evaluate: $id", async ({ result, successCondition, failureCondition, expect: expected }) => {
  const answer = await post("evaluate", { result, successCondition, failureCondition });
  expect(answer.status).toBe(200);
  const { phase, message } = PhaseVerdict.parse(answer.body);
  expect(phase).toBe(expected.phase);
  if (expected.error === undefined || expected.error === null) expect(message).toBeUndefined();
  else if (expected.error.equals !== undefined) expect(message).toBe(expected.error.equals);
  else for (const part of expected.error.contains ?? [""]) expect(message).toContain(part);
});

type MetricCase = { id: string; metric: unknown; result: unknown; terminating: boolean; expect: { phase: string } };

it.each(loadCases<MetricCase>("analysis-metric-assessment"))("assess: $id", async (testCase) => {
  const { metric, result, terminating, expect: expected } = testCase;
  const answer = await post("assess", { metric, result, terminating });
  expect(answer).toMatchObject({ status: 200, body: expected });
});

type RunCase = {
  id: string;
  spec: unknown;
  metricResults: unknown;
  expect: { phase: string; message: string; metricPhases?: Record<string, string>; dryRunSummary?: unknown };
};

it.each(loadCases<RunCase>("analysis-run-assessment"))("assess: $id", async (testCase) => {
  const { spec, metricResults, expect: expected } = testCase;
  const answer = await post("assess", { spec, metricResults });
  const { phase, message, dryRunSummary, metricPhases = {} } = expected;
  const metrics = Object.fromEntries(Object.entries(metricPhases).map(([name, value]) => [name, { phase: value }]));
  expect(answer).toMatchObject({ status: 200, body: { phase, message, metrics, runSummary: expect.any(Object) } });
  if (dryRunSummary !== undefined) expect(answer.body).toMatchObject({ dryRunSummary });
});

type ComposeCase = {
  id: string;
  templates: unknown;
  clusterTemplates: unknown;
  args?: unknown;
  expect: { metrics?: unknown; args?: unknown; error?: string };
};

const composeCases = [
  ...loadCases<ComposeCase>("analysis-flatten-templates"),
  ...loadCases<ComposeCase>("analysis-new-run-from-templates"),
];

it.each(composeCases)("compose: $id", async ({ id: _, expect: { error, ...expected }, ...testCase }) => {
  const { templates, clusterTemplates, args } = testCase;
  const body = { templates, clusterTemplates, args };
  if (error !== undefined) expect((await refusal("compose", body)).detail).toBe(error);
  else expect(await post("compose", body)).toMatchObject({ status: 200, body: { spec: expected } });
});

describe("evaluate", () => {
  it("takes NaN and infinities as text, and leaves out an empty message", async () => {
    const result = { type: "[]float64", value: ["NaN", "+Inf", "-Inf"] };
    const successCondition = "isNaN(result[0]) && isInf(result[1]) && result[2] < 0";
    expect((await post("evaluate", { result, successCondition })).body).toEqual({ phase: "Successful" });
  });

  it("knows what time it is", async () => {
    const answer = await post("evaluate", { result: { type: "nil" }, successCondition: "now().Year() > 2000" });
    expect(answer.body).toEqual({ phase: "Successful" });
  });

  it.each<[string, unknown, string[]]>([
    ["no result", { successCondition: "true" }, ["result"]],
    ["an unknown type", { result: { type: "float", value: 1 } }, ["result.type"]],
    ["a value that does not fit", { result: { type: "float64", value: "much" } }, ["result.value"]],
    ["a misspelt condition", { result: { type: "nil" }, succesCondition: "true" }, ["succesCondition"]],
    ["a condition that is no text", { result: { type: "nil" }, successCondition: true }, ["successCondition"]],
    [
      "a deeply nested value",
      `{"result":{"type":"json","value":${"[".repeat(30_000)}${"]".repeat(30_000)}}}`,
      ["body"],
    ],
  ])("refuses %s", async (_, body, names) => {
    const { invalidParams } = await refusal("evaluate", body);
    expect(invalidParams?.map(({ name }) => name)).toEqual(names);
  });

  it.each<[string, string]>([
    ["nested loops", "all(1..1000, all(1..1000, all(1..1000, # > 0)))"],
    ["a large pattern", `"${"a".repeat(900)}" matches "${"(a?){1000}".repeat(20)}"`],
    ["Unicode classes", `"x" matches "(?i)${"[\\\\pL\\\\PN]".repeat(90)}"`],
    ["open brackets", "(".repeat(30_000)],
  ])("lets no condition hold up others: %s", async (_, successCondition) => {
    const body = { result: { type: "nil" }, successCondition, failureCondition: "false" };
    const attempts: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const started = performance.now();
      expect((await post("evaluate", body)).body).toMatchObject({ phase: "Error" });
      attempts.push(performance.now() - started);
    }
    expect(Math.min(...attempts)).toBeLessThan(250);
  });
});

describe("assess", () => {
  it("fills in arguments before it judges, with a placeholder for secrets", async () => {
    const metrics = [{ name: "rate", interval: "1m", failureLimit: "{{args.limit}}" }];
    const args = [
      { name: "limit", value: "1" },
      { name: "key", valueFrom: { secretKeyRef: { name: "s", key: "k" } } },
    ];
    const metricResults = [
      { name: "rate", phase: "Running", failed: 2, count: 2, measurements: [{ phase: "Failed" }] },
    ];
    expect((await post("assess", { spec: { metrics, args }, metricResults })).body).toMatchObject({
      phase: "Failed",
      message: 'Metric "rate" assessed Failed due to failed (2) > failureLimit (1)',
    });
    const unresolved = await post("assess", { spec: { metrics }, metricResults });
    expect(AssessAnswer.parse(unresolved.body)).toMatchObject({
      phase: "Error",
      message: "Unable to resolve metric arguments: failed to resolve {{args.limit}}",
    });
  });

  it("takes names that JavaScript has a meaning for", async () => {
    const body = (name: string) =>
      `{"spec":{"metrics":[{"name":"${name}","interval":"1m","provider":{"${name}":{}}}]},` +
      `"metricResults":[{"name":"${name}","failed":1,"measurements":[{"phase":"Failed"}]}]}`;
    for (const name of ["__proto__", "constructor", "toString"]) {
      const answer = await post("assess", body(name));
      expect(answer).toMatchObject({ status: 200, body: { phase: "Failed" } });
      expect(Object.keys((answer.body as { metrics: object }).metrics)).toEqual([name]);
    }
  });

  it.each<[string, unknown, string[]]>([
    ["nothing", {}, ["metric", "result"]],
    ["half a metric", { metric: {} }, ["result"]],
    ["half a run", { metricResults: [] }, ["spec"]],
    ["both forms", { metric: {}, spec: { metrics: [] }, metricResults: [] }, ["metric"]],
    ["a negative counter", { metric: {}, result: { count: -1 } }, ["result.count"]],
    ["an unknown phase", { metric: {}, result: { phase: "Fine" } }, ["result.phase"]],
    ["a misspelt limit", { metric: { failureLimits: 1 }, result: {} }, ["metric.failureLimits"]],
    ["a limit that is no number", { metric: { failureLimit: {} }, result: {} }, ["metric.failureLimit"]],
    [
      "arguments that grow without bound",
      {
        spec: {
          metrics: [{ name: "m", successCondition: "{{args.a}}".repeat(1000) }],
          args: [{ name: "a", value: "x".repeat(20_000) }],
        },
        metricResults: [],
      },
      ["spec.args"],
    ],
  ])("refuses %s", async (_, body, names) => {
    const { invalidParams } = await refusal("assess", body);
    expect(invalidParams?.map(({ name }) => name)).toEqual(names);
  });
});

describe("compose", () => {
  const template = {
    metrics: [{ name: "rate", provider: { prometheus: { query: "up{{args.service}}" } } }],
    args: [{ name: "service" }, { name: "hash" }],
  };
  const rollout = { metadata: { labels: { app: "cart" } }, status: { stableRS: "aaa", currentPodHash: "bbb" } };
  const args = [
    { name: "service", valueFrom: { fieldRef: { fieldPath: "metadata.labels['app']" } } },
    { name: "hash", valueFrom: { podTemplateHashValue: "Latest" } },
    { name: "undeclared", value: "x" },
  ];

  it("reads arguments from the rollout and leaves tags in the metrics", async () => {
    const answer = await post("compose", { templates: [template], args, rollout });
    expect(ComposeAnswer.parse(answer.body).spec).toEqual({
      metrics: template.metrics,
      args: [
        { name: "service", value: "cart" },
        { name: "hash", value: "bbb" },
      ],
      dryRun: [],
      measurementRetention: [],
    });
  });

  it("follows references among the templates that it is given", async () => {
    const outer = { name: "outer", templates: [{ templateName: "inner" }] };
    const inner = { name: "inner", metrics: [{ name: "m" }] };
    const names = ComposeAnswer.parse((await post("compose", { templates: [inner, outer] })).body).spec.metrics;
    expect(names).toEqual([{ name: "m" }]);
    expect((await refusal("compose", { templates: [outer] })).detail).toBe(
      'analysistemplate.argoproj.io "inner" not found',
    );
  });

  it.each<[string, unknown, string[]]>([
    ["no templates", {}, ["templates"]],
    ["a pod hash without the rollout", { templates: [template], args }, ["args.0.valueFrom"]],
    ["a nameless reference", { templates: [{ templates: [{ templateName: "x" }] }] }, ["templates.0.name"]],
    [
      "an unknown field of a metric",
      { templates: [{ metrics: [{ name: "m", limit: 1 }] }] },
      ["templates.0.metrics.0.limit"],
    ],
  ])("refuses %s", async (_, body, names) => {
    const { invalidParams } = await refusal("compose", body);
    expect(invalidParams?.map(({ name }) => name)).toEqual(names);
  });

  it("answers a path that the rollout lacks with upstream's text", async () => {
    const missing = [{ name: "service", valueFrom: { fieldRef: { fieldPath: "status.nope" } } }];
    expect((await refusal("compose", { templates: [template], args: missing, rollout })).detail).toBe(
      "invalid path status.nope in rollout",
    );
  });
});

describe("every one of them", () => {
  const bodies: Record<Name, unknown> = {
    evaluate: { result: { type: "nil" } },
    assess: { metric: {}, result: {} },
    compose: { templates: [] },
  };

  it.each(["evaluate", "assess", "compose"] as const)("%s takes a cookie only from its own pages", async (name) => {
    const { cookie } = await signIn(web.runtime, "viewer");
    const send = async (headers: Record<string, string>) => {
      const init = { method: "POST", body: JSON.stringify(bodies[name]), headers: { cookie, ...headers } };
      return handlers[name](new Request(`${testOrigin}/api/v1/analysis/${name}`, init));
    };
    const json = { "content-type": "application/json" };
    expect((await send({ ...json, "sec-fetch-site": "same-origin" })).status).toBe(200);
    expect((await send({ ...json, "sec-fetch-site": "cross-site" })).status).toBe(403);
  });

  it.each(["evaluate", "assess", "compose"] as const)("%s writes nothing into the audit log", async (name) => {
    const audited = async () => (await web.runtime.pool.query("SELECT FROM audit_entry")).rows.length;
    const before = await audited();
    expect((await post(name, bodies[name])).status).toBe(200);
    expect(await audited()).toBe(before);
  });
});
