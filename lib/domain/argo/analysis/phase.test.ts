import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { isCompleted, isTerminating, isWorsePhase, worstPhase } from "./phase.ts";
import { type AnalysisPhase, analysisPhases, type MetricResult } from "./types.ts";

type OrderCase = {
  id: string;
  current: AnalysisPhase;
  new: AnalysisPhase;
  expect: { isWorse?: boolean; worst?: AnalysisPhase };
};

it.each(loadCases<OrderCase>("analysis-phase-order"))("$id", (testCase) => {
  const { isWorse, worst } = testCase.expect;
  if (isWorse !== undefined) expect(isWorsePhase(testCase.current, testCase.new)).toBe(isWorse);
  if (worst !== undefined) expect(worstPhase(testCase.current, testCase.new)).toBe(worst);
  expect(isWorse ?? worst).toBeDefined();
});

type TerminatingCase = {
  id: string;
  spec: { terminate?: boolean };
  metricResults: MetricResult[];
  expect: { terminating: boolean };
};

it.each(loadCases<TerminatingCase>("analysis-is-terminating"))("$id", ({ spec, metricResults, expect: expected }) => {
  expect(isTerminating(spec, metricResults)).toBe(expected.terminating);
});

it("calls four phases completed", () => {
  expect(analysisPhases.filter(isCompleted)).toEqual(["Successful", "Failed", "Error", "Inconclusive"]);
  expect(isCompleted(undefined)).toBe(false);
});
