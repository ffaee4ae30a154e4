import { expect, it } from "vitest";
import { findLimitMark } from "#components/charts/prepare-thresholds.ts";
import type { AnalysisPhase } from "#lib/contract/common.ts";

type Metric = Parameters<typeof findLimitMark>[0];

const letters: Record<string, AnalysisPhase> = {
  s: "Successful",
  f: "Failed",
  i: "Inconclusive",
  e: "Error",
};

/** One letter per measurement; a dot is one that is not at hand. */
const measured = (row: string) =>
  [...row].flatMap((letter, index) => {
    const phase = letters[letter];
    return phase === undefined ? [] : [{ seq: index + 1, phase, superseded: false }];
  });

function metric(phase: AnalysisPhase, limit: string, counted: Partial<Metric["counters"]> = {}): Metric {
  const none = { count: 0, successful: 0, failed: 0, inconclusive: 0, error: 0 };
  return {
    phase,
    counters: { ...none, consecutiveError: 0, consecutiveSuccess: 0, ...counted },
    limits: {
      ...{ count: null, interval: null, initialDelay: null, consecutiveSuccessLimit: "0" },
      ...{ failureLimit: limit, inconclusiveLimit: limit, consecutiveErrorLimit: limit },
    },
  };
}

it.each<{ name: string; metric: Metric; row: string; seq: number | undefined }>([
  { name: "the fourth of limit 3", metric: metric("Inconclusive", "3", { inconclusive: 4 }), row: "siiisi", seq: 6 },
  { name: "the first of limit 0", metric: metric("Failed", "0", { failed: 1 }), row: "ssf", seq: 3 },
  { name: "not one after it", metric: metric("Failed", "1", { failed: 3 }), row: "fsff", seq: 3 },
  { name: "nothing below the limit", metric: metric("Failed", "2", { failed: 2 }), row: "ff", seq: undefined },
  { name: "nothing without a limit", metric: metric("Failed", "-1", { failed: 2 }), row: "ff", seq: undefined },
  { name: "nothing for text", metric: metric("Failed", "{{args.x}}", { failed: 2 }), row: "ff", seq: undefined },
  { name: "nothing if some were lost", metric: metric("Failed", "1", { failed: 3 }), row: "f.f", seq: undefined },
  { name: "a success before a loss does not matter", metric: metric("Failed", "0", { failed: 1 }), row: ".sf", seq: 3 },
  {
    name: "nothing for a metric that passed",
    metric: metric("Successful", "0", { failed: 1 }),
    row: "f",
    seq: undefined,
  },
  { name: "errors in a row", metric: metric("Error", "1"), row: "eseesee", seq: 4 },
  { name: "no row across a loss", metric: metric("Error", "1"), row: "e.e", seq: undefined },
  { name: "a row behind a loss that ended one", metric: metric("Error", "1"), row: "s.see", seq: 5 },
  { name: "no row from a lost start", metric: metric("Error", "1"), row: ".ee", seq: undefined },
  { name: "too few in a row", metric: metric("Error", "2"), row: "eese", seq: undefined },
])("finds $name", ({ metric: own, row, seq }) => {
  expect(findLimitMark(own, measured(row))?.seq).toBe(seq);
});

it("says how much of which limit, and leaves out what was retaken", () => {
  const retaken = [{ seq: 1, phase: "Failed" as const, superseded: true }];
  const mark = findLimitMark(metric("Failed", "1", { failed: 2 }), [...retaken, ...measured("fsf")]);
  expect(mark).toEqual({ seq: 3, what: "failed", used: 2, limit: "1" });
});
