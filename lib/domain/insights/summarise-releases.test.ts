import { describe, expect, it } from "vitest";
import { quantile } from "./quantile.ts";
import { computeRate, type ReleaseFacts, type ReleaseSummary, summariseReleases } from "./summarise-releases.ts";

const promoted: ReleaseFacts = {
  state: "promoted",
  isUndone: false,
  isInconclusive: false,
  recoverySeconds: null,
  leadSeconds: null,
  waitingSeconds: 0,
  frozenSeconds: 0,
};
const aborted: ReleaseFacts = { ...promoted, state: "aborted" };
const open: ReleaseFacts = { ...promoted, state: "paused", waitingSeconds: null };

type Case = { name: string; releases: ReleaseFacts[]; is: Partial<Record<keyof ReleaseSummary, unknown>> };

const cases: Case[] = [
  {
    name: "nothing is unknown, not zero",
    releases: [],
    is: {
      aborts: { count: 0, of: 0, rate: null, low: null, high: null },
      perDay: 0,
      leadTime: { count: 0, median: null, p90: null, unknown: 0 },
      waiting: { count: 0, median: null, p90: null, unknown: 0, ended: 0, totalSeconds: 0, frozenSeconds: 0 },
    },
  },
  {
    name: "what is under way is in no rate",
    releases: [open, { ...open, state: "progressing" }, aborted],
    is: { open: 2, releases: 3, aborts: expect.objectContaining({ count: 1, of: 1, rate: 1 }) },
  },
  {
    name: "a superseded release and one of unknown end are in no rate",
    releases: [promoted, { ...promoted, state: "superseded" }, { ...promoted, state: "unknown" }],
    is: { superseded: 1, unknown: 1, changeFailure: expect.objectContaining({ count: 0, of: 1, rate: 0 }) },
  },
  {
    name: "an undone release failed",
    releases: [promoted, { ...promoted, isUndone: true }, aborted, promoted],
    is: { undone: 1, changeFailure: expect.objectContaining({ count: 2, of: 4, rate: 0.5 }) },
  },
  {
    name: "the Inconclusive are counted among those that ended",
    releases: [
      { ...promoted, isInconclusive: true },
      { ...open, isInconclusive: true },
      { ...promoted, state: "superseded", isInconclusive: true },
      promoted,
    ],
    is: { inconclusive: expect.objectContaining({ count: 1, of: 2 }) },
  },
  {
    name: "a failure without a recovery is open, and not a long one",
    releases: [{ ...aborted, recoverySeconds: 60 }, aborted, { ...promoted, isUndone: true, recoverySeconds: 120 }],
    is: { recovery: { count: 2, median: 90, p90: 114, open: 1 } },
  },
  {
    name: "a recovery of no time is one",
    releases: [{ ...aborted, recoverySeconds: 0 }],
    is: { recovery: { count: 1, median: 0, p90: 0, open: 0 } },
  },
  {
    name: "a lead time without a commit time is unknown",
    releases: [{ ...promoted, leadSeconds: 3600 }, promoted, aborted],
    is: { leadTime: { count: 1, median: 3600, p90: 3600, unknown: 1 } },
  },
  {
    name: "waits are of the ended releases that waited",
    releases: [
      { ...promoted, waitingSeconds: 600, frozenSeconds: 60 },
      { ...aborted, waitingSeconds: 1800 },
      promoted,
      { ...promoted, waitingSeconds: null },
      open,
    ],
    is: {
      waiting: {
        ...{ count: 2, median: 1200, p90: 1680, unknown: 1, ended: 4 },
        ...{ totalSeconds: 2400, frozenSeconds: 60 },
      },
    },
  },
];

describe("summariseReleases", () => {
  it.each(cases)("$name", ({ releases, is }) => {
    expect(summariseReleases(releases, 10)).toMatchObject(is);
  });

  it("divides by the days that were recorded, if that was at least one", () => {
    expect(summariseReleases([promoted, promoted, aborted], 4).perDay).toBe(0.5);
    expect(summariseReleases([promoted], 1).perDay).toBe(1);
    expect(summariseReleases([promoted], 0.9).perDay).toBeNull();
    expect(summariseReleases([promoted], 0).perDay).toBeNull();
  });
});

describe("computeRate", () => {
  // The bounds are those of R's binom::binom.wilson.
  it.each([
    { count: 0, of: 0, rate: null, low: null, high: null },
    { count: 0, of: 1, rate: 0, low: 0, high: 0.793451 },
    { count: 1, of: 1, rate: 1, low: 0.206549, high: 1 },
    { count: 2, of: 3, rate: 2 / 3, low: 0.207659, high: 0.93851 },
    { count: 0, of: 10, rate: 0, low: 0, high: 0.277533 },
    { count: 5, of: 100, rate: 0.05, low: 0.021543, high: 0.111754 },
  ])("$count of $of", ({ count, of, rate, low, high }) => {
    const computed = computeRate(count, of);
    expect(computed).toMatchObject({ count, of });
    for (const [name, wanted] of Object.entries({ rate, low, high })) {
      const value = computed[name as "rate" | "low" | "high"];
      if (wanted === null) expect(value).toBeNull();
      else expect(value).toBeCloseTo(wanted, 4);
    }
  });
});

describe("quantile", () => {
  it.each([
    { values: [], share: 0.5, is: null },
    { values: [0], share: 0.9, is: 0 },
    { values: [3, 1], share: 0.5, is: 2 },
    { values: [4, 1, 3, 2], share: 0.5, is: 2.5 },
    { values: [0, 10], share: 0.9, is: 9 },
    { values: [5, 1, 9], share: 1, is: 9 },
    { values: [1e308, 1e308], share: 0.5, is: 1e308 },
  ])("$share of $values is $is", ({ values, share, is }) => {
    expect(quantile(values, share)).toBe(is);
  });

  it("leaves the values as they are", () => {
    const values = [3, 1, 2];
    quantile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });
});
