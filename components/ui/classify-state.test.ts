import { describe, expect, it } from "vitest";
import { classifyExperimentTemplate, classifyPod } from "#components/ui/classify-state.ts";

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

describe("classifyExperimentTemplate", () => {
  it.each([
    { status: "", state: "unknown", word: "Not begun" },
    { status: "Progressing", state: "running", word: "Progressing" },
    { status: "Running", state: "running", word: "Running" },
    { status: "Failed", state: "failed", word: "Failed" },
    { status: "Odd", state: "unknown", word: "Odd" },
  ])("'$status'", ({ status, ...shown }) => {
    expect(classifyExperimentTemplate(status)).toEqual(shown);
  });
});
