import { expect, it } from "vitest";
import { compareTimes, describePrevious, summariseRelease } from "#components/releases/summarise-release.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

const none = { progressing: 0, analysing: 0, pausing: 0, waiting: 0, held: 0 };
const timeOf = (activities: Partial<typeof none>): ReleaseCourse["time"] => {
  const all = { ...none, ...activities };
  return { total: Object.values(all).reduce((sum, each) => sum + each, 0), activities: all, frozen: 0 };
};
const minute = 60;
const courseOf = (state: ReleaseCourse["release"]["state"], time: ReleaseCourse["time"]) => ({
  release: { state },
  time,
});

it.each([
  {
    state: "promoted",
    time: timeOf({ progressing: 46 * minute, waiting: 78 * minute }),
    words: "Promoted in 2 h 4 min, 1 h 18 min of it waiting for a person.",
  },
  { state: "aborted", time: timeOf({ analysing: 3 * minute }), words: "Aborted after 3 min." },
  { state: "superseded", time: timeOf({ held: 20 }), words: "Superseded after 20 s, all of it waiting for a person." },
] as const)("says $words", ({ state, time, words }) => {
  const release = { state, waitsFor: null, message: "" };
  expect(summariseRelease({ release, to: "2026-11-28T10:00:00Z", time })).toBe(words);
});

it("says of a release that has not ended how long it has been under way", () => {
  const release = { state: "paused" as const, waitsFor: null, message: "" };
  expect(summariseRelease({ release, to: null, time: timeOf({ progressing: 90 }) })).toBe("Under way for 1 min 30 s.");
});

it.each([
  {
    own: timeOf({ progressing: 46 * minute, waiting: 78 * minute }),
    previous: timeOf({ progressing: 46 * minute }),
    words: "1 h 18 min longer, mostly waiting for a person",
  },
  {
    own: timeOf({ analysing: 10 }),
    previous: timeOf({ analysing: 40 }),
    words: "30 s shorter, mostly less time analysing",
  },
  {
    own: timeOf({ progressing: 46 * minute }),
    previous: timeOf({ progressing: 46 * minute, waiting: 78 * minute }),
    words: "1 h 18 min shorter, mostly less waiting for a person",
  },
  {
    own: timeOf({ analysing: 10 }),
    previous: timeOf({ progressing: 20, analysing: 20, pausing: 20, held: 20 }),
    words: "1 min 10 s shorter",
  },
  { own: timeOf({ analysing: 10 }), previous: timeOf({ analysing: 10 }), words: "about as long" },
])("compares: $words", ({ own, previous, words }) => {
  expect(compareTimes(courseOf("promoted", own), courseOf("promoted", previous))).toBe(words);
});

it.each([
  ["promoted", "aborted"],
  ["promoted", "superseded"],
  ["promoted", "unknown"],
  ["aborted", "promoted"],
  ["progressing", "promoted"],
] as const)("does not compare the time of a release that is %s with one that is %s", (own, previous) => {
  const times = [timeOf({ progressing: 60 }), timeOf({ progressing: 5 })] as const;
  expect(compareTimes(courseOf(own, times[0]), courseOf(previous, times[1]))).toBeUndefined();
});

it.each([
  { state: "promoted", words: "v1 took 46 min" },
  { state: "aborted", words: "v1 was aborted after 46 min" },
  { state: "superseded", words: "v1 was superseded after 46 min" },
] as const)("says of the release before: $words", ({ state, words }) => {
  expect(describePrevious("v1", courseOf(state, timeOf({ progressing: 46 * minute })))).toBe(words);
});
