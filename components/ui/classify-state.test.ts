import { describe, expect, it } from "vitest";
import {
  classifyExperimentTemplate,
  classifyMetric,
  classifyMoment,
  classifyPod,
  classifyRelease,
  classifyRollout,
} from "#components/ui/classify-state.ts";

const pod = { phase: "Running", reason: null, ready: false, presence: "live" as const };

describe("classifyPod", () => {
  it.each([
    { name: "ready", pod: { ...pod, ready: true }, shown: { state: "successful", word: "Ready" } },
    { name: "running, not ready", pod, shown: { state: "running", word: "Not ready" } },
    {
      name: "crashing",
      pod: { ...pod, reason: "CrashLoopBackOff" },
      shown: { state: "error", word: "CrashLoopBackOff" },
    },
    {
      name: "starting",
      pod: { ...pod, phase: "Pending", reason: "ContainerCreating" },
      shown: { state: "running", word: "ContainerCreating" },
    },
    { name: "without a word", pod: { ...pod, phase: "" }, shown: { state: "unknown", word: "Unknown" } },
    { name: "a phase of its own", pod: { ...pod, phase: "Unknown" }, shown: { state: "unknown", word: "Unknown" } },
    {
      name: "evicted",
      pod: { ...pod, phase: "Failed", reason: "Evicted" },
      shown: { state: "failed", word: "Evicted" },
    },
    {
      name: "gone, however it was",
      pod: { ...pod, ready: true, presence: "deleted" as const },
      shown: { state: "unknown", word: "Gone" },
    },
  ])("$name", ({ pod, shown }) => {
    expect(classifyPod(pod)).toEqual(shown);
  });
});

describe("classifyMoment", () => {
  it.each<{ name: string; moment: Parameters<typeof classifyMoment>[0]; state: string; word: string }>([
    { name: "healthy", moment: { phase: "Healthy", attention: null }, state: "successful", word: "Healthy" },
    { name: "on its way", moment: { phase: "Progressing", attention: null }, state: "running", word: "Progressing" },
    {
      name: "a timed pause",
      moment: { phase: "Paused", attention: null, holds: ["CanaryPauseStep"] },
      state: "timed",
      word: "Paused",
    },
    { name: "a gate", moment: { phase: "Paused", attention: "pause" }, state: "waiting", word: "Waiting for a person" },
    {
      name: "Inconclusive",
      moment: { phase: "Paused", attention: "inconclusive" },
      state: "inconclusive",
      word: "Inconclusive",
    },
    {
      name: "Inconclusive, in a record that does not say why it waited",
      moment: { phase: "Paused", holds: ["CanaryPauseStep", "InconclusiveAnalysisRun"] },
      state: "inconclusive",
      word: "Inconclusive",
    },
    {
      name: "paused manually, in such a record",
      moment: { phase: "Paused", holds: ["manually paused"] },
      state: "waiting",
      word: "Waiting for a person",
    },
    {
      name: "blue-green, in such a record",
      moment: { phase: "Paused", holds: ["BlueGreenPause"] },
      state: "waiting",
      word: "Waiting for promotion",
    },
    {
      name: "blue-green that promotes by itself",
      moment: { phase: "Paused", attention: null, holds: ["BlueGreenPause"] },
      state: "timed",
      word: "Paused",
    },
    { name: "degraded", moment: { phase: "Degraded", attention: "degraded" }, state: "failed", word: "Degraded" },
    {
      name: "a finding does not outrank the phase",
      moment: { phase: "Healthy", attention: "finding" },
      state: "successful",
      word: "Healthy",
    },
    { name: "a word of another version", moment: { phase: "Odd" }, state: "unknown", word: "Odd" },
  ])("$name", ({ moment, state, word }) => {
    expect(classifyMoment(moment)).toEqual({ state, word });
  });
});

describe("classifyRollout", () => {
  const rollout = { kind: "Rollout", phase: "Degraded", presence: "live", attention: { reason: "degraded" } } as const;
  it.each([
    { name: "broken", rollout: { ...rollout, abortPoint: null }, word: "Degraded" },
    {
      name: "aborted, like its release",
      rollout: { ...rollout, abortPoint: { step: 1, weight: 20 } },
      word: "Aborted",
    },
    {
      name: "on its way back after an abort",
      rollout: { ...rollout, phase: "Progressing" as const, attention: null, abortPoint: { step: 1, weight: 20 } },
      word: "Progressing",
    },
    {
      name: "failed, of Flagger",
      rollout: { ...rollout, kind: "Canary" as const, abortPoint: { step: null, weight: null } },
      word: "Degraded",
    },
    { name: "gone", rollout: { ...rollout, presence: "deleted" as const, abortPoint: null }, word: "Deleted" },
  ])("$name", ({ rollout, word }) => {
    expect(classifyRollout(rollout).word).toBe(word);
  });
});

describe("classifyRelease", () => {
  const release = { waitsFor: null, message: "" };
  it.each<{ name: string; release: Parameters<typeof classifyRelease>[0]; state: string; word: string }>([
    { name: "under way", release: { ...release, state: "progressing" }, state: "running", word: "Progressing" },
    {
      name: "at a timed pause",
      release: { ...release, state: "paused", message: "CanaryPauseStep" },
      state: "timed",
      word: "Paused",
    },
    {
      name: "Inconclusive",
      release: { ...release, state: "paused", waitsFor: "inconclusive", message: "InconclusiveAnalysisRun" },
      state: "inconclusive",
      word: "Inconclusive",
    },
    {
      name: "at a gate",
      release: { ...release, state: "paused", waitsFor: "pause" },
      state: "waiting",
      word: "Waiting for a person",
    },
    {
      name: "blue-green",
      release: { ...release, state: "paused", waitsFor: "blueGreenPromotion" },
      state: "waiting",
      word: "Waiting for promotion",
    },
    {
      name: "degraded before it ended",
      release: { ...release, state: "progressing", waitsFor: "degraded" },
      state: "failed",
      word: "Degraded",
    },
    {
      name: "aborted",
      release: { ...release, state: "aborted", message: "InconclusiveAnalysisRun" },
      state: "failed",
      word: "Aborted",
    },
  ])("$name", ({ release, state, word }) => {
    expect(classifyRelease(release)).toEqual({ state, word });
  });
});

describe("classifyExperimentTemplate", () => {
  it.each([
    { status: "", state: "unknown", word: "Not started" },
    { status: "Progressing", state: "running", word: "Progressing" },
    { status: "Running", state: "running", word: "Running" },
    { status: "Failed", state: "failed", word: "Failed" },
    { status: "Odd", state: "unknown", word: "Odd" },
  ])("'$status'", ({ status, ...shown }) => {
    expect(classifyExperimentTemplate(status)).toEqual(shown);
  });
});

it.each([
  { phase: "Successful" as const, replayedPhase: null, shown: { state: "successful", word: "Successful" } },
  {
    phase: "Successful" as const,
    replayedPhase: "Failed" as const,
    shown: { state: "failed", word: "Failed by its measurements" },
  },
])("shows what a metric's measurements give: $shown.word", ({ shown, ...metric }) => {
  expect(classifyMetric(metric)).toEqual(shown);
});
