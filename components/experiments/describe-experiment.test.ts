import { describe, expect, it } from "vitest";
import { describeExperiment, notesOf } from "#components/experiments/describe-experiment.ts";
import type { ExperimentAnalysis } from "#lib/contract/experiment.ts";

const analysis = (name: string, phase: ExperimentAnalysis["phase"]): ExperimentAnalysis => ({
  name,
  phase,
  message: "",
  required: false,
  run: null,
  measures: null,
  template: { kind: "AnalysisTemplate", name: "slo" },
});

describe("describeExperiment", () => {
  it.each([
    { phase: "Failed" as const, message: "no pods", analyses: [], text: "Failed: no pods" },
    {
      phase: "Inconclusive" as const,
      message: "",
      analyses: [analysis("a", "Successful"), analysis("b", "Inconclusive")],
      text: "Inconclusive: so is its analysis b",
    },
    { phase: "Running" as const, message: "", analyses: [], text: "Running: the versions run side by side" },
    {
      phase: "Running" as const,
      message: "",
      analyses: [analysis("a", "Running")],
      text: "Running: the versions are measured side by side",
    },
    { phase: "Successful" as const, message: "", analyses: [analysis("a", "Successful")], text: "Successful: e-1" },
  ])("$text", ({ text, ...experiment }) => {
    expect(describeExperiment({ name: "e-1", ...experiment })).toBe(text);
  });
});

it("says nothing of one that is there and ran its course", () => {
  expect(notesOf({ terminated: false, presence: "live" })).toEqual([]);
  expect(notesOf({ terminated: true, presence: "deleted" })).toHaveLength(2);
});
