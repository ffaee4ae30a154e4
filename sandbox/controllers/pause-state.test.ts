import { describe, expect, it } from "vitest";
import { applyPauseDecision, newPauseDecision, type PauseDecision } from "./pause-state.ts";
import type { RolloutStatus } from "./rollout-types.ts";

const NOW = Date.UTC(2026, 0, 5, 9, 0, 0);
const NOW_TEXT = "2026-01-05T09:00:00Z";
const STEP = { reason: "CanaryPauseStep", startTime: "2026-01-05T08:00:00Z" } as const;
const OPEN = { reason: "InconclusiveAnalysisRun", startTime: "2026-01-05T08:30:00Z" } as const;

type Case = { name: string; status: RolloutStatus; decision: Partial<PauseDecision>; expected: RolloutStatus };

const cases: Case[] = [
  { name: "nothing stays nothing", status: {}, decision: {}, expected: {} },
  {
    name: "a reason is added with its time",
    status: {},
    decision: { add: ["CanaryPauseStep"] },
    expected: { controllerPause: true, pauseConditions: [{ reason: "CanaryPauseStep", startTime: NOW_TEXT }] },
  },
  {
    name: "a second reason joins the first",
    status: { controllerPause: true, pauseConditions: [STEP] },
    decision: { add: ["InconclusiveAnalysisRun"] },
    expected: {
      controllerPause: true,
      pauseConditions: [STEP, { reason: "InconclusiveAnalysisRun", startTime: NOW_TEXT }],
    },
  },
  {
    name: "a reason that stands keeps its time",
    status: { controllerPause: true, pauseConditions: [OPEN] },
    decision: { add: ["InconclusiveAnalysisRun"] },
    expected: { controllerPause: true, pauseConditions: [OPEN] },
  },
  {
    name: "a resume is consumed: controllerPause goes with the last reason",
    status: { controllerPause: true },
    decision: {},
    expected: {},
  },
  {
    name: "one of two reasons is removed",
    status: { controllerPause: true, pauseConditions: [STEP, OPEN] },
    decision: { remove: ["CanaryPauseStep"] },
    expected: { controllerPause: true, pauseConditions: [OPEN] },
  },
  {
    name: "a clear beats what was to be added",
    status: { controllerPause: true, pauseConditions: [STEP] },
    decision: { clear: true, add: ["InconclusiveAnalysisRun"] },
    expected: {},
  },
  {
    name: "an abort drops the pauses and gets its time",
    status: { controllerPause: true, pauseConditions: [STEP], abort: true },
    decision: {},
    expected: { abort: true, abortedAt: NOW_TEXT },
  },
  {
    name: "an abort keeps its time",
    status: { abort: true, abortedAt: "2026-01-05T07:00:00Z" },
    decision: {},
    expected: { abort: true, abortedAt: "2026-01-05T07:00:00Z" },
  },
  {
    name: "a verdict aborts",
    status: {},
    decision: { abortMessage: "Step-based analysis phase error/failed" },
    expected: { abort: true, abortedAt: NOW_TEXT },
  },
  { name: "an abort is removed", status: { abort: true }, decision: { removeAbort: true }, expected: {} },
];

describe("applyPauseDecision", () => {
  it.each(cases)("$name", ({ status, decision, expected }) => {
    const next: RolloutStatus = {};
    const rollout = {
      metadata: { name: "a", uid: "u", resourceVersion: "1", creationTimestamp: NOW_TEXT },
      spec: { selector: {}, template: { spec: { containers: [] } }, strategy: { canary: {} } },
      status,
    };
    applyPauseDecision({ rollout, decision: { ...newPauseDecision(), ...decision }, next, nowMs: NOW });
    expect(next).toEqual(expected);
  });
});
