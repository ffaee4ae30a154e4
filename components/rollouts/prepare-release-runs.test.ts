import { expect, it } from "vitest";
import { prepareReleaseRuns } from "#components/rollouts/prepare-release-runs.ts";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import type { CurrentRun, ReleaseRun } from "#lib/contract/rollout.ts";

const run = (uid: string, more: Partial<ReleaseRun> = {}): ReleaseRun => ({
  uid,
  name: uid,
  type: "Step",
  stepIndex: 2,
  phase: "Successful",
  message: "",
  startedAt: null,
  completedAt: null,
  decided: false,
  contradiction: false,
  ...more,
});
const current = (uid: string | null, role: CurrentRun["role"] = "step"): CurrentRun => ({
  role,
  name: uid ?? "unseen",
  uid,
  phase: "Running",
  message: "",
});
const evidence = (more: Partial<MetricEvidence>): MetricEvidence => ({
  ...{ runUid: "a", metric: "success-rate", phase: "Running", values: [], last: null, unit: null, lastPhase: null },
  ...{ condition: null, pass: null, fail: null, thresholds: [], limit: null, summary: "" },
  ...more,
});
const rollout = {
  phase: "Paused" as const,
  aborted: false,
  attention: null,
  evidence: [] as MetricEvidence[],
  currentRuns: [] as CurrentRun[],
  releaseRuns: [] as ReleaseRun[],
};
type Rollout = Parameters<typeof prepareReleaseRuns>[0];

it.each<{ name: string; rollout: Rollout; runs: string[] }>([
  { name: "nothing was measured", rollout, runs: [] },
  {
    name: "aborted: the status names none, and the one that failed is opened first",
    rollout: {
      ...rollout,
      phase: "Degraded",
      aborted: true,
      releaseRuns: [run("b", { type: "Background" }), run("a", { phase: "Failed", decided: true })],
    },
    runs: ["a: Analysis of step 3, caused the abort, open", "b: Background analysis"],
  },
  {
    name: "at a gate: what ended last",
    rollout: {
      ...rollout,
      attention: { reason: "pause", since: "", severity: "info" },
      releaseRuns: [run("a", { decided: true }), run("z", { stepIndex: 0 })],
    },
    runs: ["a: Analysis of step 3, open", "z: Analysis of step 1"],
  },
  {
    name: "Inconclusive, while it is measured again: both, the one that holds first",
    rollout: {
      ...rollout,
      attention: { reason: "inconclusive", since: "", severity: "warning" },
      currentRuns: [current("b")],
      releaseRuns: [run("b", { phase: "Running" }), run("a", { phase: "Inconclusive", decided: true })],
    },
    runs: ["a: Analysis of step 3, blocking the rollout, open", "b: Analysis of this step, open"],
  },
  {
    name: "charted at the top of the page: closed",
    rollout: {
      ...rollout,
      attention: { reason: "inconclusive", since: "", severity: "warning" },
      evidence: [evidence({ metric: "latency", phase: "Successful" }), evidence({ phase: "Inconclusive" })],
      releaseRuns: [run("a", { phase: "Inconclusive", decided: true })],
    },
    runs: ["a: Analysis of step 3, blocking the rollout, charted"],
  },
  {
    name: "a run that the status names and nobody has recorded yet",
    rollout: { ...rollout, phase: "Progressing", currentRuns: [current(null, "background")] },
    runs: ["unseen: Background analysis, open"],
  },
  {
    name: "a verdict that its measurements contradict is told and opened, also when all is promoted",
    rollout: { ...rollout, phase: "Healthy", releaseRuns: [run("a", { contradiction: true })] },
    runs: ["a: Analysis of step 3, contradicted, open"],
  },
  {
    name: "a healthy rollout opens nothing",
    rollout: { ...rollout, phase: "Healthy", releaseRuns: [run("a", { decided: true })] },
    runs: ["a: Analysis of step 3"],
  },
])("$name", ({ rollout, runs }) => {
  const shown = prepareReleaseRuns(rollout).map(({ name, title, note, isContradicted, isOpen, isCharted }) =>
    [
      `${name}: ${title}`,
      note,
      isContradicted ? "contradicted" : undefined,
      isOpen ? "open" : undefined,
      isCharted ? "charted" : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(", "),
  );
  expect(shown).toEqual(runs);
});
