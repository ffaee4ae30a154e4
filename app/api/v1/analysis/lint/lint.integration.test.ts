import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LintAnswer } from "#lib/contract/analysis-engine.ts";
import { Problem } from "#lib/contract/problem.ts";
import { connectRecorded, inconclusiveRollout, type Recorded } from "#test/recorded.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { POST } from "./route.ts";

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

async function post(body: unknown): Promise<{ status: number; body: unknown }> {
  const request = web.request("/api/v1/analysis/lint", { as: "viewer", method: "POST", body: JSON.stringify(body) });
  const response = await POST(request);
  return { status: response.status, body: await response.json() };
}

async function lint(body: unknown): Promise<LintAnswer> {
  const answer = await post(body);
  expect(answer.status).toBe(200);
  return LintAnswer.parse(answer.body);
}

const source = `kind: AnalysisTemplate
metadata: { name: rate }
spec:
  args: [{ name: min }]
  metrics:
    - name: rate
      successCondition: result[0] > {{args.min}}
      provider: { prometheus: { query: up } }
`;

it("says what is wrong, and where", async () => {
  const { problems, metrics, runs } = await lint({ source: source.replace("{{args.min}}", "") });
  expect(problems).toMatchObject([{ severity: "error", from: { line: 7 } }]);
  expect(metrics).toMatchObject([{ name: "rate", provider: "prometheus", successCondition: "result[0] >" }]);
  expect(runs).toBeNull();
});

it("composes the runs of a recorded rollout, with the other templates as the cluster has them", async () => {
  const namespace = `ns-${randomUUID().slice(0, 8)}`;
  const templates = [{ templateName: "rate" }, { templateName: "latency" }];
  const object = {
    ...inconclusiveRollout({ namespace, name: "checkout", uid: "u" }),
    spec: { strategy: { canary: { steps: [{ analysis: { templates, args: [{ name: "min", value: "0.9" }] } }] } } },
  };
  const rollout = await recorded.addRollout({ namespace, object });
  const refused = await lint({ source, rollout: rollout.path });
  expect(refused.runs).toEqual([
    { where: "step 1", spec: null, metadata: null, error: 'analysistemplate.argoproj.io "latency" not found' },
  ]);

  const owner = createTestPool(web.database.ownerUrl);
  const uid = randomUUID();
  await owner.query(
    `INSERT INTO analysis_template (uid, cluster, namespace, kind, name, version, spec_hash, resource_version, created_at, updated_at)
     VALUES ($1, 'demo', $2, 'AnalysisTemplate', 'latency', 1, 'h', '1', now(), now())`,
    [uid, namespace],
  );
  await owner.query(
    `INSERT INTO analysis_template_version (template_uid, version, spec_hash, spec, resource_version, written_at, observed_at)
     VALUES ($1, 1, 'h', '{"metrics": [{"name": "latency", "provider": {"prometheus": {}}}]}', '1', now(), now())`,
    [uid],
  );
  await owner.end();
  const { runs } = await lint({ source, rollout: rollout.path });
  expect(runs).toMatchObject([
    {
      where: "step 1",
      error: null,
      spec: { metrics: [{ name: "rate" }, { name: "latency" }], args: [{ value: "0.9" }] },
    },
  ]);
});

it("reads what is no template without a word about metrics", async () => {
  expect(await lint({ source: "a: [" })).toMatchObject({ metrics: null, runs: null });
});

it.each([
  ["another rollout", { source, rollout: "demo/none/Rollout/none" }, 404, "not_found"],
  ["a rollout that is none", { source, rollout: "checkout" }, 400, "invalid_request"],
  ["a text that is too long", { source: "a".repeat(50_001) }, 400, "invalid_request"],
])("refuses %s", async (_, body, status, code) => {
  const answer = await post(body);
  expect(answer.status).toBe(status);
  expect(Problem.parse(answer.body).code).toBe(code);
});
