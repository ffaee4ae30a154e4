import { expect, it } from "vitest";
import { formatVerdict } from "./get-run.ts";

type Metric = Parameters<typeof formatVerdict>[0]["metrics"][number];
type Phase = Parameters<typeof formatVerdict>[0]["phase"];

function metric(name: string, phase: Phase, counters: Partial<Metric["counters"]> = {}, dryRun = false): Metric {
  const none = {
    count: 0,
    successful: 0,
    failed: 0,
    inconclusive: 0,
    error: 0,
    consecutiveError: 0,
    consecutiveSuccess: 0,
  };
  return {
    name,
    phase,
    dryRun,
    counters: { ...none, ...counters },
    limits: {
      count: null,
      interval: null,
      initialDelay: null,
      failureLimit: "1",
      inconclusiveLimit: "2",
      consecutiveErrorLimit: "4",
      consecutiveSuccessLimit: "0",
    },
  };
}

it.each<{
  phase: Phase;
  message?: string;
  metrics: Metric[];
  replayedPhase?: Phase;
  explanation?: string;
  verdict: string;
}>([
  {
    phase: "Successful",
    metrics: [metric("a", "Successful", { count: 5, failed: 5 }), metric("b", "Successful", { count: 2, failed: 2 })],
    replayedPhase: "Failed",
    verdict: "Recorded as Successful, but every measurement failed.",
  },
  {
    phase: "Successful",
    metrics: [metric("a", "Successful", { count: 5, failed: 4, successful: 1 })],
    replayedPhase: "Failed",
    verdict: "Recorded as Successful, but its measurements give Failed.",
  },
  {
    phase: "Inconclusive",
    metrics: [metric("a", "Inconclusive", { count: 5, inconclusive: 3 }), metric("b", "Successful", { count: 5 })],
    verdict: "Inconclusive: 3 of 5 a measurements were inconclusive (2 allowed).",
  },
  {
    phase: "Failed",
    message: "the controller's words",
    metrics: [metric("a", "Failed", { count: 1, failed: 1 }), metric("dry", "Failed", { count: 9, failed: 9 }, true)],
    verdict: "Failed: 1 of 1 a measurement failed (1 allowed).",
  },
  {
    phase: "Error",
    metrics: [metric("a", "Error", { error: 5, consecutiveError: 5 })],
    verdict: "Error: a had 5 errors in a row (4 allowed).",
  },
  {
    phase: "Error",
    message: "template not found",
    metrics: [metric("a", "Error")],
    verdict: "Error: template not found",
  },
  {
    phase: "Successful",
    message: "Run Terminated",
    metrics: [metric("a", "Successful")],
    explanation: "Both metrics stayed within the limits.",
    verdict: "Successful: both metrics stayed within the limits.",
  },
  { phase: "Successful", metrics: [], verdict: "Successful." },
  { phase: "Running", metrics: [metric("a", "Running")], explanation: "It goes on.", verdict: "Running: it goes on." },
])("says $verdict", ({ phase, message = "", metrics, replayedPhase, explanation, verdict }) => {
  expect(formatVerdict({ phase, message, metrics, replayedPhase, explanation })).toBe(verdict);
});
