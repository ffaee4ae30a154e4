import { expect, it } from "vitest";
import type { MetricEvidence } from "#lib/contract/evidence.ts";
import { formatInboxSentence } from "./inbox-sentence.ts";

type Row = Parameters<typeof formatInboxSentence>[0]["row"];

const row: Row = {
  kind: "Rollout",
  attention_reason: "pause",
  step: 3,
  step_count: 8,
  abort_point: null,
  message: "",
  images: [],
};
const inconclusive = (metric: string): MetricEvidence => ({
  runUid: "r",
  metric,
  phase: "Inconclusive",
  values: [],
  last: null,
  unit: null,
  lastPhase: null,
  condition: null,
  pass: null,
  fail: null,
  thresholds: [],
  limit: null,
  summary: "",
});

it.each<{
  name: string;
  row: Partial<Row>;
  evidence?: MetricEvidence[];
  skippedGates?: { step: number; why: string }[];
  finding?: { title: string; runUid: string | null };
  sentence: string;
}>([
  {
    name: "a finding about a run, with the values that fail",
    row: { attention_reason: "finding" },
    evidence: [
      { ...inconclusive("success-rate"), lastPhase: "Failed", last: "0.821502", unit: "ratio", fail: "< 90 %" },
      { ...inconclusive("latency"), lastPhase: "Successful", last: "300" },
      { ...inconclusive("errors"), runUid: "another", lastPhase: "Failed", last: "9" },
    ],
    finding: { title: "Marked Successful, but its measurements disagree", runUid: "r" },
    sentence: "Marked Successful, but its measurements disagree: success-rate 82.15\u2009% (fail < 90 %).",
  },
  {
    name: "a finding about a run with many values that fail, cut",
    row: { attention_reason: "finding" },
    evidence: ["a", "b", "c", "d"].map((metric) => ({
      ...{ ...inconclusive(metric), lastPhase: "Failed" as const, last: "1", fail: `< ${"9".repeat(100)}` },
    })),
    finding: { title: "Wrong", runUid: "r" },
    sentence: `Wrong: a 1 (fail < ${"9".repeat(57)}…), b 1 (fail < ${"9".repeat(57)}…) and 2 more.`,
  },
  {
    name: "a gate that the controller skipped",
    row: { attention_reason: "finding" },
    skippedGates: [{ step: 2, why: "background analysis Inconclusive" }],
    sentence: "Gate at step 3 skipped by the controller: background analysis Inconclusive.",
  },
  {
    name: "a gate that the controller skipped, and an Inconclusive run that waits",
    row: { attention_reason: "inconclusive" },
    skippedGates: [{ step: 2, why: "background analysis Inconclusive" }],
    sentence:
      "Its analysis is Inconclusive at step 4 of 8. Gate at step 3 skipped by the controller: background analysis Inconclusive.",
  },
  {
    name: "a pause",
    row: {},
    sentence: "Waiting for a person to continue at step 4 of 8.",
  },
  {
    name: "spec.paused",
    row: { message: "manually paused" },
    sentence: "Paused manually (spec.paused) at step 4 of 8.",
  },
  {
    name: "the last step passed",
    row: { step: 8 },
    sentence: "Waiting for a person to continue at step 8 of 8.",
  },
  {
    name: "no steps",
    row: { step: null, step_count: 0 },
    sentence: "Waiting for a person to continue.",
  },
  {
    name: "two undecided metrics",
    row: { attention_reason: "inconclusive" },
    evidence: [inconclusive("a"), inconclusive("b")],
    sentence: "a, b are Inconclusive at step 4 of 8.",
  },
  {
    name: "one undecided metric",
    row: { attention_reason: "inconclusive" },
    evidence: [{ ...inconclusive("a"), summary: "4 of 13 measurements were inconclusive (3 allowed)" }],
    sentence: "a is Inconclusive at step 4 of 8: 4 of 13 measurements were inconclusive (3 allowed).",
  },
  {
    name: "an undecided analysis that was not recorded",
    row: { attention_reason: "inconclusive" },
    sentence: "Its analysis is Inconclusive at step 4 of 8.",
  },
  {
    name: "blue-green",
    row: { attention_reason: "blueGreenPromotion" },
    sentence: "The new version is ready for promotion.",
  },
  {
    name: "blue-green with its analysis",
    row: {
      attention_reason: "blueGreenPromotion",
      images: [
        { image: "shop/login:v6.1.3", tags: ["active", "stable"] },
        { image: "shop/login:v6.2.0", tags: ["preview"] },
      ],
    },
    evidence: [
      { ...inconclusive("a"), phase: "Successful" },
      { ...inconclusive("b"), phase: "Successful" },
    ],
    sentence: "v6.2.0 is ready: 2 of 2 metrics passed.",
  },
  {
    name: "degraded",
    row: { attention_reason: "degraded", message: "RolloutAborted: failed" },
    sentence: "Degraded at step 4 of 8: RolloutAborted: failed",
  },
  {
    name: "an abort of the controller, in words",
    row: {
      attention_reason: "degraded",
      message:
        'RolloutAborted: Rollout aborted update to revision 2: Step-based analysis phase error/failed: Metric "errors" assessed Failed due to failed (2) > failureLimit (1)',
    },
    sentence: "Aborted by the controller at step 4 of 8: errors failed 2 times (1 allowed).",
  },
  {
    name: "an abort that somebody asked for",
    row: {
      attention_reason: "degraded",
      message: "RolloutAborted: Rollout aborted update to revision 2",
    },
    sentence: "Aborted on request at step 4 of 8.",
  },
  {
    name: "an abort, which sends the controller back to the first step",
    row: {
      attention_reason: "degraded",
      step: 0,
      abort_point: { step: 2, weight: 25, images: [] },
    },
    sentence: "Degraded at step 3 of 8.",
  },
])("words $name", ({ row: change, evidence = [], skippedGates = [], finding, sentence }) => {
  expect(formatInboxSentence({ row: { ...row, ...change }, evidence, skippedGates, finding })).toBe(sentence);
});
