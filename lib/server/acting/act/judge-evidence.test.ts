import { expect, it } from "vitest";
import { judgeEvidence } from "./judge-evidence.ts";

const metric = {
  name: "success-rate",
  phase: "Inconclusive",
  message: "",
  dry_run: false,
  count: 13,
  successful: 9,
  failed: 0,
  inconclusive: 4,
  error: 0,
  measurements: [
    { value: "[0.97]", phase: "Successful" },
    { value: null },
    { value: "[0.9471]", phase: "Failed", metadata: { reason: "x".repeat(600) } },
  ],
};
const spec = {
  args: [{ name: "least", value: "0.95" }],
  metrics: [
    {
      name: "success-rate",
      successCondition: "result[0] >= {{args.least}}",
      failureCondition: "result[0] < 0.90",
      inconclusiveLimit: 3,
      provider: {},
    },
  ],
};
const evidence = { runs: [{ uid: "u", name: "r", spec, metrics: [metric] }] };

it("shows a metric beside the conditions and the limit that are frozen with it", () => {
  expect(judgeEvidence(evidence, "Rollout", {})).toMatchObject([
    {
      runUid: "u",
      metric: "success-rate",
      phase: "Inconclusive",
      values: [0.97, null, 0.9471],
      last: "0.9471",
      lastPhase: "Failed",
      metadata: { reason: `${"x".repeat(499)}…` },
      pass: "≥ 0.95",
      fail: "< 0.90",
      limit: { what: "inconclusive", used: 4, limit: "3" },
      summary: "4 of 13 measurements were inconclusive (3 allowed)",
    },
  ]);
});

it.each([
  { name: "a run without an owner", kind: "AnalysisRun", rows: 1 },
  { name: "no target", kind: undefined, rows: 0 },
  { name: "a target that measures nothing", kind: "Deployment", rows: 0 },
])("judges by the provider of the target: $name", ({ kind, rows }) => {
  expect(judgeEvidence(evidence, kind, {})).toHaveLength(rows);
});

it.each([
  { name: "none", given: null },
  { name: "another kind", given: { finding: "f" } },
  { name: "runs of another shape", given: { runs: [{ uid: 1 }] } },
])("leaves out what it cannot read: $name", ({ given }) => {
  expect(judgeEvidence(given, "Rollout", {})).toEqual([]);
});

it("shows a metric whose rules are missing without conditions", () => {
  const bare = { runs: [{ uid: "u", spec: undefined, metrics: [metric] }] };
  expect(judgeEvidence(bare, "Rollout", {})).toMatchObject([{ metric: "success-rate", pass: null, fail: null }]);
});
