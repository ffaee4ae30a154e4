import { describe, expect, it } from "vitest";
import { describeInterval, describeLimits, describeProgress } from "#components/runs/describe-limits.ts";
import type { RunMetric } from "#lib/contract/analysis-run.ts";

const counters: RunMetric["counters"] = {
  count: 0,
  successful: 0,
  failed: 0,
  inconclusive: 0,
  error: 0,
  consecutiveError: 0,
  consecutiveSuccess: 0,
};
const limits: RunMetric["limits"] = {
  count: null,
  interval: null,
  initialDelay: null,
  failureLimit: "0",
  inconclusiveLimit: "0",
  consecutiveErrorLimit: "4",
  consecutiveSuccessLimit: "0",
};

describe("describeLimits", () => {
  it.each([
    { name: "zero of zero is not exceeded", failed: 0, limit: "0", words: "0 (limit 0)", isExceeded: false },
    { name: "one of zero is", failed: 1, limit: "0", words: "limit 0 exceeded", isExceeded: true },
    { name: "as many as the limit are not", failed: 2, limit: "2", words: "2 (limit 2)", isExceeded: false },
    { name: "many are grouped", failed: 5_000, limit: "9000", words: "5,000 (limit 9000)", isExceeded: false },
    { name: "a negative limit is none", failed: 7, limit: "-1", words: "7, no limit", isExceeded: false },
    {
      name: "a limit that is no number is shown as it stands",
      failed: 1,
      limit: "{{args.x}}",
      words: "1 (limit {{args.x}})",
      isExceeded: false,
    },
  ])("$name", ({ failed, limit, words, isExceeded }) => {
    const [first] = describeLimits({ counters: { ...counters, failed }, limits: { ...limits, failureLimit: limit } });
    expect(first).toMatchObject({ what: "Failed", words, isExceeded });
  });

  it("names successes in a row only where they are wanted", () => {
    expect(describeLimits({ counters, limits })).toHaveLength(3);
    const wanted = describeLimits({
      counters: { ...counters, consecutiveSuccess: 1 },
      limits: { ...limits, consecutiveSuccessLimit: "3" },
    });
    expect(wanted.at(-1)?.words).toBe("1 of 3 needed");
  });
});

describe("describeProgress", () => {
  it.each([
    { counted: {}, more: {}, words: "4 measured" },
    { counted: {}, more: { count: "0" }, words: "4 measured" },
    { counted: {}, more: { count: "10" }, words: "4 of 10 measured" },
    { counted: { error: 1 }, more: { count: "4" }, words: "4 of 4 measured, 1 error" },
    { counted: { error: 2 }, more: { count: "5" }, takenAgain: 1, words: "4 of 5 measured, 2 errors, 1 retaken" },
  ])("says: $words", ({ counted, more, takenAgain = 0, words }) => {
    const metric = { counters: { ...counters, count: 4, ...counted }, limits: { ...limits, ...more }, takenAgain };
    expect(describeProgress(metric)).toBe(words);
  });
});

it.each([
  { more: {}, words: undefined },
  { more: { interval: "30s" }, words: "every 30 s" },
  { more: { interval: "", initialDelay: "1m" }, words: "first after 1 min" },
  { more: { interval: "5s", initialDelay: "1m" }, words: "every 5 s, first after 1 min" },
])("describes the interval: $words", ({ more, words }) => {
  expect(describeInterval({ limits: { ...limits, ...more } })).toBe(words);
});
