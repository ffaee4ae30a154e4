import { expect, it } from "vitest";
import { nameCompared, summariseComparison, summariseRelease } from "#components/releases/summarise-release.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

const none = { progressing: 0, analysing: 0, pausing: 0, waiting: 0, held: 0 };
const timeOf = (activities: Partial<typeof none>): ReleaseCourse["time"] => {
  const all = { ...none, ...activities };
  return { total: Object.values(all).reduce((sum, each) => sum + each, 0), activities: all, frozen: 0 };
};
const minute = 60;
const from = "2026-11-28T08:00:00Z";

it.each([
  {
    state: "promoted",
    time: timeOf({ progressing: 46 * minute, waiting: 78 * minute }),
    words: "Promoted in 2 h 4 min, including 1 h 18 min waiting for a person.",
  },
  { state: "aborted", time: timeOf({ analysing: 3 * minute }), words: "Aborted after 3 min." },
  { state: "superseded", time: timeOf({ held: 20 }), words: "Superseded after 20 s, all waiting for a person." },
] as const)("says $words", ({ state, time, words }) => {
  const release = { state, waitsFor: null, message: "" };
  expect(summariseRelease({ release, from, to: "2026-11-28T10:00:00Z", time })).toBe(words);
});

it("rounds the wait as the parts of the whole are rounded", () => {
  const release = { state: "promoted" as const, waitsFor: null, message: "" };
  const time = timeOf({ pausing: 18 * minute + 10, waiting: 38 * minute + 55 });
  const to = new Date(Date.parse(from) + time.total * 1_000).toISOString();
  expect(summariseRelease({ release, from, to, time })).toBe(
    "Promoted in 57 min, including 39 min waiting for a person.",
  );
});

it.each([
  { seconds: 14.5, words: "Aborted after 15 s." },
  { seconds: 3.5, words: "Aborted after 3.5 s." },
])("counts seconds as the shown times of both ends do: $words", ({ seconds, words }) => {
  const start = Date.parse("2026-11-28T08:32:47.600Z");
  const [begin = "", to = ""] = [start, start + seconds * 1000].map((at) => new Date(at).toISOString());
  const release = { state: "aborted" as const, waitsFor: null, message: "" };
  expect(summariseRelease({ release, from: begin, to, time: timeOf({ analysing: seconds }) })).toBe(words);
});

it("says of a release that has not ended how long it has been under way", () => {
  const release = { state: "paused" as const, waitsFor: null, message: "" };
  expect(summariseRelease({ release, from, to: null, time: timeOf({ progressing: 90 }) })).toBe(
    "Under way for 1 min 30 s.",
  );
});

type Moments = Parameters<typeof summariseComparison>[0][0]["moments"];

const courseOf = (
  state: ReleaseCourse["release"]["state"],
  time: ReleaseCourse["time"],
  {
    moments = [],
    isCut = false,
    to = "2026-11-28T10:00:00Z" as string | null,
  }: { moments?: Moments; isCut?: boolean; to?: string | null } = {},
) => ({ release: { state }, from, to, time, moments, isCut });

const weighed: Moments = [
  { phase: "Progressing", weight: 20 },
  { phase: "Progressing", weight: 40 },
  { phase: "Progressing", weight: 0 },
  { phase: "Degraded", weight: 0 },
];

it.each([
  {
    own: timeOf({ progressing: 46 * minute, waiting: 78 * minute }),
    other: timeOf({ progressing: 46 * minute }),
    words: "Promoted in 2 h 4 min; v1 was promoted in 46 min (+1 h 18 min: waiting).",
  },
  {
    own: timeOf({ analysing: 10 }),
    other: timeOf({ analysing: 40 }),
    words: "Promoted in 10 s; v1 was promoted in 40 s (\u221230 s: analysing).",
  },
  {
    own: timeOf({ analysing: 10 }),
    other: timeOf({ progressing: 20, analysing: 20, pausing: 20, held: 20 }),
    words: "Promoted in 10 s; v1 was promoted in 1 min 20 s (\u22121 min 10 s).",
  },
  {
    own: timeOf({ analysing: 10 }),
    other: timeOf({ analysing: 10 }),
    words: "Promoted in 10 s; v1 was promoted in 10 s (the same time).",
  },
  {
    own: timeOf({ progressing: 1.7 }),
    other: timeOf({ progressing: 2.5 }),
    words: "Promoted in 1.7 s; v1 was promoted in 2.5 s (\u22120.8 s: progressing).",
  },
])("compares promoted releases: $words", ({ own, other, words }) => {
  expect(summariseComparison([courseOf("promoted", own), courseOf("promoted", other)], "v1")).toBe(words);
});

it.each([
  {
    own: courseOf("aborted", timeOf({ progressing: 12 * minute }), { moments: weighed }),
    other: courseOf("promoted", timeOf({ progressing: 46 * minute })),
    words: "Aborted after 12 min at 40 %; v1 was promoted in 46 min.",
  },
  {
    own: courseOf("promoted", timeOf({ progressing: 46 * minute })),
    other: courseOf("aborted", timeOf({ progressing: 12 * minute }), { moments: weighed }),
    words: "Promoted in 46 min; v1 was aborted after 12 min at 40 %.",
  },
  {
    own: courseOf("aborted", timeOf({ progressing: 12 * minute }), { moments: weighed, isCut: true }),
    other: courseOf("superseded", timeOf({ progressing: 20 }), { moments: weighed.slice(0, 1) }),
    words: "Aborted after 12 min; v1 was superseded after 20 s at 20 %.",
  },
  {
    own: courseOf("aborted", timeOf({ progressing: 3 }), { moments: [{ phase: "Degraded", weight: 0 }] }),
    other: courseOf("unknown", timeOf({ progressing: 20 })),
    words: "Aborted after 3 s; v1 ended after 20 s, outcome unknown.",
  },
  {
    own: courseOf("progressing", timeOf({ progressing: 60 }), { to: null }),
    other: courseOf("paused", timeOf({ progressing: 90 }), { to: null }),
    words: "Under way for 1 min; v1 has been under way for 1 min 30 s.",
  },
])("says how both ended, and compares no times: $words", ({ own, other, words }) => {
  expect(summariseComparison([own, other], "v1")).toBe(words);
});

it.each([
  { images: ["shop:v2", "shop:v1"], revisions: [2, 1], names: ["v2", "v1"] },
  { images: ["shop:v2", "shop:v2"], revisions: [3, 2], names: ["revision 3", "revision 2"] },
  { images: ["shop:v2", ""], revisions: [2, 1], names: ["revision 2", "revision 1"] },
])("names releases of $images $names", ({ images, revisions, names }) => {
  const [own, other] = [0, 1].map((index) => ({
    images: [images[index] ?? ""].filter((image) => image !== ""),
    ...{ revision: revisions[index] ?? null, runKey: "k", attempt: 1, rollout: { id: "same", name: "shop" } },
  })) as [Parameters<typeof nameCompared>[0], Parameters<typeof nameCompared>[1]];
  expect(nameCompared(own, other)).toEqual(names);
  expect(nameCompared(own, { ...other, rollout: { id: "b", name: "cart" } })).toEqual([
    `shop ${names[0]}`,
    `cart ${names[1]}`,
  ]);
});
