import { describe, expect, it } from "vitest";
import { type ObservationChanges, observeStates } from "#lib/domain/argo/history/testing/sample-observations.ts";
import type { PluginStep } from "./observation.ts";
import { deriveTimeline } from "./testing/derive-all.ts";

const second = {
  currentPodHash: "bbb",
  view: { phase: "Progressing", revision: 2, step: 0, stepText: "setWeight: 20", images: ["shop:2"] },
};
const run = (phase: string, name = "r1") => ({ name, phase });

const pluginOf = (change: Partial<PluginStep>): PluginStep => {
  return {
    step: 2,
    name: "acme/checks",
    operation: "Run",
    phase: "Running",
    message: "",
    isDisabled: false,
    ...change,
  };
};

type Case = { name: string; changes: ObservationChanges[]; events: string[] };

const cases: Case[] = [
  {
    name: "first sight",
    changes: [{ view: { phase: "Paused", message: "CanaryPauseStep" } }],
    events: ["phase: First seen: Paused: CanaryPauseStep"],
  },
  { name: "a new revision", changes: [{}, second], events: ["revision: Revision 2 begins: shop:2"] },
  {
    name: "a new revision, written by a person's tool",
    changes: [{}, { ...second, writer: "kubectl" }],
    events: ["revision: Revision 2 begins: shop:2 (via kubectl)"],
  },
  {
    name: "a step plugin that runs, fails and is aborted",
    changes: [
      second,
      { view: { plugins: [pluginOf({})] } },
      { view: { plugins: [pluginOf({ message: "2 of 3" })] } },
      {
        abort: true,
        view: {
          plugins: [
            pluginOf({ phase: "Failed", message: "quota" }),
            pluginOf({ operation: "Abort", phase: "Successful" }),
          ],
          phase: "Degraded",
          message: "RolloutAborted: Rollout aborted update to revision 2: Step Plugin 3 (acme/checks) failed: quota",
          abortedAt: "2026-11-20T10:00:03Z",
        },
      },
    ],
    events: [
      "step: Step 3 of 5: plugin acme/checks: Running",
      "step: Step 3 of 5: plugin acme/checks: Failed: quota",
      "abort: Aborted by the controller: Step Plugin 3 (acme/checks) failed: quota",
      "step: Step 3 of 5: plugin acme/checks: abort: Successful",
    ],
  },
  {
    name: "a step plugin that the controller's config disables",
    changes: [second, { view: { plugins: [pluginOf({ phase: "Successful", isDisabled: true })] } }],
    events: ["step: Step 3 of 5: plugin acme/checks: disabled in the controller, passed over"],
  },
  {
    name: "full promotion, asked for with the plugin",
    changes: [second, { promoteFull: true, writer: "kubectl-argo-rollouts" }],
    events: ["resume: Full promotion requested (via kubectl-argo-rollouts)"],
  },
  {
    name: "a version without a revision number",
    changes: [{}, { ...second, view: { ...second.view, revision: null, images: [] } }],
    events: ["revision: Version bbb begins"],
  },
  {
    name: "back to stable",
    changes: [second, { currentPodHash: "aaa", view: { revision: 3 } }],
    events: ["revision: Returned to the stable version, revision 3"],
  },
  {
    name: "a step",
    changes: [second, { view: { step: 1, stepText: "pause" } }],
    events: ["step: Step 1 of 5 completed: 20 %"],
  },
  {
    name: "several steps at once",
    changes: [second, { view: { step: 3 } }],
    events: ["step: Steps 1 to 3 of 5 passed"],
  },
  {
    name: "back to the first step",
    changes: [{ ...second, view: { ...second.view, step: 3 } }, { view: { step: 0 } }],
    events: ["step: Back at step 1 of 5"],
  },
  {
    name: "a pause that waits for a person",
    changes: [
      { ...second, view: { ...second.view, step: 1, stepText: "pause", stepWaitsForPerson: true } },
      { pauseConditions: [{ reason: "CanaryPauseStep", startTime: "t" }], view: { phase: "Paused" } },
    ],
    events: ["pause: Waits for a person at step 2 of 5"],
  },
  {
    name: "a timed pause",
    changes: [
      { ...second, view: { ...second.view, step: 1, stepText: "pause: 30s" } },
      { pauseConditions: [{ reason: "CanaryPauseStep", startTime: "t" }], view: { phase: "Paused" } },
    ],
    events: ["pause: Pauses at step 2 of 5: wait 30 s"],
  },
  {
    name: "an Inconclusive run",
    changes: [
      { ...second, stepAnalysis: run("Running") },
      {
        stepAnalysis: run("Inconclusive"),
        pauseConditions: [{ reason: "InconclusiveAnalysisRun", startTime: "t" }],
        view: { phase: "Paused" },
      },
    ],
    events: ["run: Step analysis r1 is Inconclusive", "pause: Stopped at step 1 of 5: an analysis run is Inconclusive"],
  },
  {
    name: "goes on, by a person's tool",
    changes: [
      {
        ...second,
        pauseConditions: [{ reason: "CanaryPauseStep", startTime: "t" }],
        view: { ...second.view, phase: "Paused" },
      },
      { pauseConditions: [], view: { phase: "Progressing" }, writer: "gatehouse" },
    ],
    events: ["resume: Resumed (via gatehouse)"],
  },
  {
    name: "paused by a person",
    changes: [second, { paused: true, view: { phase: "Paused", message: "manually paused" }, writer: "kubectl" }],
    events: ["pause: Paused by a person (via kubectl)"],
  },
  {
    name: "aborted",
    changes: [second, { abort: true, view: { phase: "Degraded", message: "RolloutAborted: too slow", step: 0 } }],
    events: ["abort: Aborted: RolloutAborted: too slow"],
  },
  {
    name: "retried",
    changes: [
      { ...second, abort: true, view: { ...second.view, phase: "Degraded" } },
      { abort: false, view: { phase: "Progressing" }, writer: "gatehouse" },
    ],
    events: ["retry: Retried after the abort (via gatehouse)"],
  },
  {
    name: "promoted",
    changes: [
      { ...second, view: { ...second.view, step: 4, stepText: "pause" } },
      { stableRS: "bbb", view: { phase: "Healthy", step: 5, stepText: null } },
    ],
    events: ["step: Step 5 of 5 completed: wait", "phase: Promoted: revision 2 is stable"],
  },
  {
    name: "a phase by itself",
    changes: [{}, { view: { phase: "Degraded", message: "InvalidSpec: x" } }],
    events: ["phase: Healthy to Degraded: InvalidSpec: x"],
  },
  {
    name: "a background run begins",
    changes: [second, { backgroundAnalysis: run("") }],
    events: ["run: Background analysis r1 begins"],
  },
  {
    name: "a run that was over when first seen",
    changes: [second, { backgroundAnalysis: run("Failed") }],
    events: ["run: Background analysis r1 begins and is Failed"],
  },
  {
    name: "the next run",
    changes: [{ ...second, backgroundAnalysis: run("Inconclusive") }, { backgroundAnalysis: run("Running", "r1.1") }],
    events: ["run: Background analysis r1.1 begins"],
  },
  { name: "only a message", changes: [second, { view: { message: "other" } }], events: [] },
];

describe("deriveTimeline", () => {
  it.each(cases)("$name", ({ changes, events }) => {
    const found = deriveTimeline(observeStates(...changes)).map((event) => `${event.kind}: ${event.text}`);
    expect(changes.length > 1 ? found.slice(1) : found).toEqual(events);
  });

  it("names the run of what a run does, and of nothing else", () => {
    const all = cases.flatMap(({ changes }) => deriveTimeline(observeStates(...changes)));
    const named = all.filter((event) => event.runName !== undefined);
    expect(named.length).toBeGreaterThan(3);
    expect(named.every((event) => event.kind === "run" && event.text.includes(event.runName ?? "?"))).toBe(true);
    expect(all.filter((event) => event.kind === "run")).toHaveLength(named.length);
  });
});
