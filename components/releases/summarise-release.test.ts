import { expect, it } from "vitest";
import { compareTimes, summariseRelease } from "#components/releases/summarise-release.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

const none = { progressing: 0, analysing: 0, pausing: 0, waiting: 0, held: 0 };
const timeOf = (activities: Partial<typeof none>): ReleaseCourse["time"] => {
  const all = { ...none, ...activities };
  return { total: Object.values(all).reduce((sum, each) => sum + each, 0), activities: all, frozen: 0 };
};
const minute = 60;

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
  { own: timeOf({ analysing: 10 }), previous: timeOf({ analysing: 40 }), words: "30 s shorter, mostly analysing" },
  { own: timeOf({ analysing: 10 }), previous: timeOf({ analysing: 10 }), words: "about as long" },
])("compares: $words", ({ own, previous, words }) => {
  expect(compareTimes(own, previous)).toBe(words);
});
