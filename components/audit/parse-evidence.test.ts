import { describe, expect, it } from "vitest";
import { describePlace, parseEvidence, plotValue } from "#components/audit/parse-evidence.ts";

describe("parseEvidence", () => {
  it("reads the view and every run with its measurements", () => {
    const evidence = {
      rollout: {
        phase: "Paused",
        message: "InconclusiveAnalysisRun",
        view: { abort: false, paused: true, pauseConditions: [{ reason: "InconclusiveAnalysisRun" }] },
        attention: "inconclusive",
      },
      runs: [
        {
          uid: "u",
          name: "a-1",
          phase: "Inconclusive",
          message: "",
          metrics: [
            {
              name: "m",
              phase: "Inconclusive",
              message: "",
              measurements: [
                {
                  ...{ seq: "4", value: "[0.9]", phase: "Inconclusive", finished_at: "t" },
                  metadata: { group: "eu", count: 7 },
                },
              ],
            },
          ],
        },
      ],
    };
    expect(parseEvidence(evidence)).toEqual({
      phase: "Paused",
      message: "InconclusiveAnalysisRun",
      attention: "inconclusive",
      holds: ["InconclusiveAnalysisRun", "manually paused"],
      view: Object.entries(evidence.rollout.view),
      runs: [
        {
          uid: "u",
          name: "a-1",
          phase: "Inconclusive",
          message: "",
          metrics: [
            {
              name: "m",
              phase: "Inconclusive",
              message: "",
              measurements: [
                { seq: 4, value: "[0.9]", phase: "Inconclusive", finishedAt: "t", noted: { group: "eu" } },
              ],
            },
          ],
        },
      ],
    });
  });

  it.each([null, "text", 7, [], {}, { runs: "no" }, { rollout: [] }])("knows nothing of %j", (evidence) => {
    expect(parseEvidence(evidence)).toBeUndefined();
  });
});

it.each([
  { name: "older evidence does not say why it waited", attention: {}, parsed: undefined },
  { name: "it did not wait", attention: { attention: null }, parsed: null },
  { name: "a word of another version", attention: { attention: "soon" }, parsed: undefined },
])("$name", ({ attention, parsed }) => {
  expect(parseEvidence({ rollout: { phase: "Paused", view: { abort: false }, ...attention } })?.attention).toBe(parsed);
});

describe("plotValue", () => {
  it.each([
    { value: "0.5", number: 0.5 },
    { value: "0", number: 0 },
    { value: "[0.9471]", number: 0.9471 },
    { value: "[[1e-9 2]]", number: 1e-9 },
    { value: "[]", number: null },
    { value: "NaN", number: null },
    { value: "+Inf", number: null },
    { value: '{"a":1}', number: null },
    { value: undefined, number: null },
  ])("takes $number from $value", ({ value, number }) => {
    expect(plotValue(value)).toBe(number);
  });
});

const target = { namespace: "shop", name: "cart" };
const atPause = { attention: "pause" as const, holds: ["CanaryPauseStep"] };

it.each([
  {
    ...{ name: "step and traffic", detail: { step: 1, stepCount: 5, actualWeight: 50 }, seen: atPause },
    words: "shop/cart waited at pause step 2 of 5, with 50 % of traffic on the new version.",
  },
  {
    ...{ name: "no traffic", detail: { step: 0, stepCount: 5, actualWeight: 0 }, seen: atPause },
    words: "shop/cart waited at pause step 1 of 5, with 0 % of traffic on the new version.",
  },
  {
    ...{ name: "a share in text", detail: { step: 1, stepCount: 5, actualWeight: "33.3" }, seen: atPause },
    words: "shop/cart waited at pause step 2 of 5, with 33.3 % of traffic on the new version.",
  },
  {
    ...{ name: "only the step", detail: { step: 1, stepCount: 5 }, seen: atPause },
    words: "shop/cart waited at pause step 2 of 5.",
  },
  { name: "no step", detail: { actualWeight: 50 }, seen: atPause, words: undefined },
  { name: "another wait", detail: { step: 1, stepCount: 5 }, seen: { ...atPause, holds: [] }, words: undefined },
])("says where a rollout waited as far as that was stored: $name", ({ detail, seen, words }) => {
  expect(describePlace({ target, detail }, seen)).toBe(words);
});
