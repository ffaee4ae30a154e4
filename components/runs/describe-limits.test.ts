import { describe, expect, it } from "vitest";
import { describeLimits, describeSchedule } from "#components/runs/describe-limits.ts";
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
    { name: "one of zero is", failed: 1, limit: "0", words: "1 (limit 0 exceeded)", isExceeded: true },
    { name: "as many as the limit are not", failed: 2, limit: "2", words: "2 (limit 2)", isExceeded: false },
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

describe("describeSchedule", () => {
  it.each([
    { more: {}, words: "5 taken" },
    { more: { count: "10", interval: "30s" }, words: "5 taken of 10, every 30s" },
    { more: { count: "0", initialDelay: "1m" }, words: "5 taken, first after 1m" },
    { more: { count: "5", interval: "1s" }, takenAgain: 1, words: "5 taken of 5, 1 retaken, every 1s" },
  ])("says: $words", ({ more, takenAgain = 0, words }) => {
    const counted = { ...counters, count: 4, error: 1 };
    expect(describeSchedule({ counters: counted, limits: { ...limits, ...more }, takenAgain })).toBe(words);
  });
});
