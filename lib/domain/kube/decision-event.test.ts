import { expect, it } from "vitest";
import { type Decision, formatDecisionEvent } from "./decision-event.ts";

const decision: Decision = {
  ...{ actionId: "0b0e", action: "accept-step", actorName: "Oncall", reason: "fine", seq: 7 },
  time: new Date("2026-11-24T10:15:00.999Z"),
  rollout: {
    resource: { group: "argoproj.io", version: "v1alpha1", name: "rollouts" },
    ...{ cluster: "prod", namespace: "shop", kind: "Rollout", name: "checkout", uid: "u" },
  },
  subject: null,
};
const format = (change: Partial<Decision>, publicUrl = "https://g.example/oversight") =>
  formatDecisionEvent({ ...decision, ...change }, publicUrl);

it.each([
  {
    change: {},
    message: "Oncall accepted the step's result and continued checkout: fine https://g.example/oversight/audit/7",
  },
  {
    change: { reason: null },
    message: "Oncall accepted the step's result and continued checkout. https://g.example/oversight/audit/7",
  },
  {
    change: { action: "unheard-of", reason: "a\n b\u202e" },
    message: "Oncall requested unheard-of of checkout: a b https://g.example/oversight/audit/7",
  },
])("says $message", ({ change, message }) => {
  expect(format(change).message).toBe(message);
});

it.each(["x", "🙂", "é"])("has at most 1024 bytes, and always the link, with a reason of 2000 %s", (char) => {
  const { message } = format({ reason: char.repeat(2000), actorName: char.repeat(300) });
  expect(Buffer.byteLength(message)).toBeLessThanOrEqual(1024);
  expect(Buffer.byteLength(message)).toBeGreaterThan(900);
  expect(message).toMatch(/… https:\/\/g\.example\/oversight\/audit\/7$/);
});

it("has the run or Experiment that it is about", () => {
  const related = { apiVersion: "argoproj.io/v1alpha1", namespace: "shop", kind: "AnalysisRun", name: "run-1" };
  expect(format({ subject: { kind: "AnalysisRun", name: "run-1" } })).toMatchObject({
    ...{ related, reason: "GatehouseAcceptStep", firstTimestamp: "2026-11-24T10:15:00Z" },
  });
  for (const subject of [null, { kind: "AnalysisRun", name: "" }])
    expect(format({ subject })).not.toHaveProperty("related");
});

it("links to the page of the rollout by an annotation, below the path of publicUrl", () => {
  expect(format({}).metadata).toEqual({
    ...{ name: "gatehouse.0b0e", namespace: "shop" },
    annotations: { "gatehouse.dev/link": "https://g.example/oversight/rollouts/prod/shop/Rollout/checkout" },
  });
});

it("hides secrets of the reason", () => {
  expect(format({ reason: "token ghp_0123456789abcdefghijABCDEFGHIJ012345" }).message).not.toContain("ghp_0123");
});
