import { describe, expect, it } from "vitest";
import { describeLimit, describeMeasuring } from "#components/templates/describe-template.ts";

describe("describeMeasuring", () => {
  it.each([
    { interval: null, count: null, words: "once" },
    { interval: null, count: "1", words: "once" },
    { interval: null, count: "3", words: "3 times, no interval set" },
    { interval: "1m", count: null, words: "every 1m, until the run ends" },
    { interval: "1m", count: "0", words: "every 1m, until the run ends" },
    { interval: "10s", count: "5", words: "every 10s, 5 times" },
    { interval: "10s", count: "1", words: "once" },
    { interval: "10s", count: "{{args.count}}", words: "every 10s, {{args.count}} times" },
  ])("$interval and $count", ({ words, ...metric }) => {
    expect(describeMeasuring(metric)).toBe(words);
  });
});

describe("describeLimit", () => {
  it.each([
    { limit: null, words: "0 (not set)" },
    { limit: "0", words: "0" },
    { limit: "2", words: "2" },
    { limit: "-1", words: "-1: no limit" },
    { limit: "{{args.limit}}", words: "{{args.limit}}" },
  ])("$limit", ({ limit, words }) => {
    expect(describeLimit(limit)).toBe(words);
  });
});
