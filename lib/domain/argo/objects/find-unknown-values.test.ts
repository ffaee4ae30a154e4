import { describe, expect, it } from "vitest";
import { findUnknownValues } from "./find-unknown-values.ts";

describe("findUnknownValues", () => {
  const rollout = (status: unknown, steps: unknown = []) => ({ spec: { strategy: { canary: { steps } } }, status });
  const measured = (phase: unknown) => ({
    status: { metricResults: [{ phase: "Running", measurements: [{ phase }] }] },
  });
  it.each([
    { name: "nothing at all", kind: "Rollout", object: undefined, fields: [] },
    { name: "a Rollout without status", kind: "Rollout", object: rollout(undefined), fields: [] },
    { name: "a known phase", kind: "Rollout", object: rollout({ phase: "Paused" }), fields: [] },
    { name: "no phase yet", kind: "Rollout", object: rollout({ phase: "" }), fields: [] },
    { name: "a new phase", kind: "Rollout", object: rollout({ phase: "Frozen" }), fields: ["rollout.status.phase"] },
    {
      name: "a new pause reason beside a known one",
      kind: "Rollout",
      object: rollout({ pauseConditions: [{ reason: "CanaryPauseStep" }, { reason: "LunarPause" }] }),
      fields: ["rollout.status.pauseConditions.reason"],
    },
    {
      name: "a run of a new phase",
      kind: "Rollout",
      object: rollout({ canary: { currentStepAnalysisRunStatus: { status: "Dreaming" } } }),
      fields: ["rollout.status.analysisRunStatus"],
    },
    {
      name: "a new kind of step",
      kind: "Rollout",
      object: rollout({}, [{ setWeight: 0 }, { pause: {} }, { teleport: {} }, {}]),
      fields: ["rollout.spec.strategy.canary.steps"],
    },
    {
      name: "a known step with a field more",
      kind: "Rollout",
      object: rollout({}, [{ pause: {}, colour: "red" }]),
      fields: [],
    },
    { name: "a run that ended", kind: "AnalysisRun", object: { status: { phase: "Inconclusive" } }, fields: [] },
    {
      name: "a new phase of a run",
      kind: "AnalysisRun",
      object: { status: { phase: "Dreaming" } },
      fields: ["analysisRun.status.phase"],
    },
    {
      name: "a new phase of a measurement",
      kind: "AnalysisRun",
      object: measured("Dreaming"),
      fields: ["analysisRun.status.metricResults.measurements.phase"],
    },
    { name: "a measurement of no known type", kind: "AnalysisRun", object: measured(7), fields: [] },
    {
      name: "a new phase of an Experiment",
      kind: "Experiment",
      object: { status: { phase: "Dreaming" } },
      fields: ["experiment.status.phase"],
    },
    { name: "a kind without such words", kind: "ReplicaSet", object: { status: { phase: "Dreaming" } }, fields: [] },
  ])("$name", ({ kind, object, fields }) => {
    expect(findUnknownValues(kind, object).map(({ field }) => field)).toEqual(fields);
  });
});
