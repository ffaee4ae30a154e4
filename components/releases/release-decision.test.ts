import { expect, it } from "vitest";
import { findDecidingAct, nameAct, nameDeciding, saysDecision } from "#components/releases/release-decision.tsx";
import type { AnalysisPhase } from "#lib/contract/common.ts";
import type { Release, ReleaseAct, ReleaseRun } from "#lib/contract/rollout.ts";

const metric = (
  name: string,
  phase: "Pending" | "Successful" | "Failed" | "Inconclusive" | "Error",
  dryRun = false,
) => ({
  ...{ name, phase, dryRun },
});

it.each([
  {
    name: "the Failed metric of a Failed run, not one that was never measured",
    phase: "Failed",
    metrics: [metric("errors", "Failed"), metric("latency", "Pending"), metric("rate", "Successful")],
    words: "errors",
  },
  {
    name: "the Failed metric, not the Inconclusive one",
    phase: "Failed",
    metrics: [metric("errors", "Failed"), metric("latency", "Inconclusive")],
    words: "errors",
  },
  {
    name: "each metric with the result of the run, without dry runs",
    phase: "Error",
    metrics: [metric("errors", "Error"), metric("latency", "Error"), metric("shadow", "Error", true)],
    words: "errors and latency",
  },
  {
    name: "the analysis if it passed",
    phase: "Successful",
    metrics: [metric("errors", "Successful")],
    words: "this analysis",
  },
  {
    name: "the analysis if no metric has its result",
    phase: "Failed",
    metrics: [metric("errors", "Failed", true), metric("latency", "Successful")],
    words: "this analysis",
  },
] as const)("names $name", ({ phase, metrics, words }) => {
  expect(nameDeciding({ phase, metrics })).toBe(words);
});

it("names the analysis until it is loaded", () => {
  expect(nameDeciding(undefined)).toBe("this analysis");
});

const act = (action: string, change: Partial<ReleaseAct> = {}): ReleaseAct => ({
  ...{
    seq: 117,
    time: "2026-11-28T13:52:00Z",
    action,
    actor: { type: "user" as const, name: "admin" },
    source: "gatehouse" as const,
  },
  ...{
    who: "admin",
    did: "continued it at 50 %",
    reason: "Level with stable.",
    outcome: "applied" as const,
    effect: null,
  },
  ...change,
});

type DecidedCase = { name: string; state: Release["state"]; acts: ReleaseAct[]; seq?: number } & {
  phase?: AnalysisPhase;
  /** When the deciding run did. */
  ended?: string;
  type?: ReleaseRun["type"];
};

it.each([
  { name: "the person who continued it", state: "promoted", acts: [act("continue")], phase: "Successful", seq: 117 },
  {
    name: "the last person of several",
    ...{ state: "promoted", acts: [act("continue"), act("accept-step", { seq: 118 })], phase: "Successful", seq: 118 },
  },
  {
    name: "the person after whose act no analysis was left",
    ...{ state: "promoted", acts: [act("accept-step")], phase: "Inconclusive", ended: "13:52:00", seq: 117 },
  },
  {
    name: "the analysis of a later step, not the person before it",
    ...{ state: "promoted", acts: [act("continue")], phase: "Successful", ended: "13:52:01" },
  },
  {
    name: "the person, not the background analysis that ended with the release",
    ...{ state: "promoted", acts: [act("continue")], phase: "Successful", ended: "14:10:00", type: "Background" },
    seq: 117,
  },
  {
    name: "the person who skipped the analysis, which ended it",
    ...{ state: "promoted", acts: [act("skip-step")], phase: "Successful", ended: "13:52:01", seq: 117 },
  },
  {
    name: "the person who aborted it, which ended the analysis",
    ...{ state: "aborted", acts: [act("abort")], phase: "Successful", ended: "13:52:01", seq: 117 },
  },
  { name: "no one if no act took it further", state: "promoted", acts: [act("pause")], phase: "Successful" },
  { name: "no one if the act was refused", state: "promoted", acts: [act("continue", { outcome: "refused" })] },
  { name: "no one while it is under way", state: "paused", acts: [act("continue")], phase: "Successful" },
  { name: "the analysis that failed it", state: "aborted", acts: [act("continue"), act("abort")], phase: "Failed" },
  { name: "the person who aborted it", state: "aborted", acts: [act("abort")], phase: "Inconclusive", seq: 117 },
  { name: "not the person who continued an aborted one", state: "aborted", acts: [act("continue")] },
] as DecidedCase[])("finds who decided: $name", ({ state, acts, phase, ended = "13:50:00", type = "Step", seq }) => {
  const [startedAt, completedAt] = ["13:49:00", ended].map((at) => `2026-11-28T${at}.000Z`) as [string, string];
  const run = phase && { type, phase, startedAt, completedAt };
  expect(findDecidingAct({ release: { state }, acts }, run)?.seq).toBe(seq);
});

it.each([
  { did: "continued it at 50 %", words: "Continued by admin at 50 %" },
  { did: "aborted it", words: "Aborted by admin" },
  {
    did: "accepted the step's result and continued it at 40 %",
    words: "Accepted the step's result and continued by admin at 40 %",
  },
  { did: "skipped a step of it at 50 %", words: "admin skipped a step of it at 50 %" },
])("says $words", ({ did, words }) => {
  expect(nameAct({ who: "admin", did })).toBe(words);
});

const failed = { phase: "Failed" as const, metrics: [metric("rate", "Failed"), metric("latency", "Successful")] };

it.each([
  { message: "Aborted by the controller: rate failed 2 times (1 allowed)", run: failed, says: true },
  { message: "Aborted by the controller: error-rate failed 2 times (1 allowed)", run: failed, says: false },
  { message: "", run: failed, says: false },
  { message: "Promoted: rate", run: { ...failed, phase: "Successful" as const }, says: false },
  { message: "rate failed", run: undefined, says: false },
])("leaves out the verdict if the reason names its metrics: $message, $says", ({ message, run, says }) => {
  expect(saysDecision(message, run)).toBe(says);
});
