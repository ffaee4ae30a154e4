// @vitest-environment jsdom
import { act, createElement } from "react";
import { expect, it } from "vitest";
import { describeVerdictCheck, VerdictCheckLine } from "#components/runs/verdict-check-line.tsx";
import type { AnalysisRunDetail, RunMetric } from "#lib/contract/analysis-run.ts";
import { setUpReactRoot } from "#test/react-root.tsx";

const { render } = setUpReactRoot();

type Check = NonNullable<AnalysisRunDetail["verdictCheck"]>;

const check = (state: Check["state"], findings: Check["findings"] = []): Check => {
  return { state, findings, checkedAt: "2026-11-20T10:00:00Z" };
};

const rate = {
  name: "rate",
  phase: "Successful",
  replayedPhase: "Failed",
  counters: { count: 5, failed: 5, error: 0 },
  limits: { failureLimit: "1" },
} as RunMetric;

it.each([
  ["agrees", /^Verdict verified: .* gives the same result/],
  ["contradicts", /^Verdict mismatch: /],
  ["ended-early", /^Ended early: /],
  ["undecided", /^Unknown: /],
] as const)("%s is said in words", (state, words) => {
  const described = describeVerdictCheck({ phase: "Successful", verdictCheck: check(state), metrics: [] });
  expect(described).toMatchObject({ sign: state, words: expect.stringMatching(words) });
});

it("says in short how a verdict was verified", () => {
  const described = describeVerdictCheck({ phase: "Successful", verdictCheck: check("agrees"), metrics: [] });
  expect(described?.short).toBe("Verdict verified by replaying its measurements");
});

it("says that a run which has ended is not checked yet, and nothing of one that goes on", () => {
  expect(describeVerdictCheck({ phase: "Failed", verdictCheck: null, metrics: [] })?.sign).toBe("due");
  expect(describeVerdictCheck({ phase: "Running", verdictCheck: null, metrics: [] })).toBeUndefined();
});

it("gives a line to each metric whose result is contradicted", () => {
  const verdictCheck = check("contradicts");
  const metrics = [rate, { ...rate, name: "latency", replayedPhase: null }];
  expect(describeVerdictCheck({ phase: "Successful", verdictCheck, metrics })?.metrics).toEqual([
    { key: "rate", text: "rate: 5 of 5 measurements failed (1 allowed)" },
  ]);
});

it("names the metric of a finding", () => {
  const verdictCheck = check("contradicts", [
    { kind: "contradiction", rule: "measurement", metric: "rate", seq: 3, text: "No. 3 is wrong." },
    { kind: "contradiction", rule: "run", text: "The run is wrong." },
  ]);
  expect(describeVerdictCheck({ phase: "Successful", verdictCheck, metrics: [] })?.findings).toEqual([
    { key: "measurement rate 3", text: "rate: No. 3 is wrong." },
    { key: "run  ", text: "The run is wrong." },
  ]);
});

it("opens its details on paper", async () => {
  const verdictCheck = check("contradicts", [{ rule: "phase", text: "The phase differs." }] as Check["findings"]);
  const run = { phase: "Successful", verdictCheck, metrics: [rate] } as unknown as AnalysisRunDetail;
  await render(createElement(VerdictCheckLine, { run }));
  const isOpen = () => document.querySelector("details")?.open;
  expect(isOpen()).toBe(false);
  await act(async () => window.dispatchEvent(new Event("beforeprint")));
  expect(isOpen()).toBe(true);
  await act(async () => window.dispatchEvent(new Event("afterprint")));
  expect(isOpen()).toBe(false);
});
