import { describe, expect, it } from "vitest";
import { describeFreezeConfig, describeMoment, roundPercents, splitTime } from "#components/releases/course-words.ts";
import { cutCourse, momentAt, nextStop, prepareCourse } from "#components/releases/prepare-course.ts";
import { formatExact } from "#components/ui/format-time.ts";
import type { CourseMoment, ReleaseCourse } from "#lib/contract/release-course.ts";

const startMs = Date.parse("2026-11-22T03:02:00.000Z");
const at = (seconds: number) => new Date(startMs + seconds * 1000).toISOString();

function momentOf(seconds: number, change: Partial<CourseMoment> = {}): CourseMoment {
  return {
    at: at(seconds),
    phase: "Progressing",
    message: "",
    step: 0,
    stepCount: 4,
    stepText: "setWeight: 20",
    weight: 0,
    activity: "progressing",
    waits: [],
    ...change,
  };
}

function courseOf(change: Partial<ReleaseCourse> = {}): ReleaseCourse {
  return {
    from: at(0),
    to: at(100),
    moments: [momentOf(0), momentOf(10, { step: 1, weight: 20, activity: "waiting", stepText: "pause" })],
    runs: [],
    steps: [],
    experiments: [],
    acts: [],
    findings: [],
    warnings: [],
    ...change,
  } as ReleaseCourse;
}

const plugin = {
  ...{ name: "acme/checks", operation: "Run", phase: "Failed", message: "quota exceeded", executions: 3 },
  ...{ backoff: "30s", disabled: false, startedAt: at(20), updatedAt: at(40), finishedAt: at(45) },
};

describe("prepareCourse", () => {
  it("has a lane for each plugin that was called, as long as it ran", () => {
    const running = { ...plugin, phase: "Running", finishedAt: null };
    const steps = [
      { index: 0, kind: "setWeight" as const, text: "setWeight: 20", pluginStatuses: [] },
      {
        index: 1,
        kind: "plugin" as const,
        text: "plugin: a",
        pluginStatuses: [plugin, { ...running, startedAt: null }],
      },
      { index: 2, kind: "plugin" as const, text: "plugin: a", pluginStatuses: [running] },
    ];
    const { plugins, stops } = prepareCourse(courseOf({ steps }), 0);
    expect(plugins.map(({ step, fromMs, toMs }) => [step, fromMs - startMs, toMs - startMs])).toEqual([
      [1, 20_000, 45_000],
      [2, 20_000, 100_000],
    ]);
    expect(stops).toContain(startMs + 45_000);
  });

  it("makes one block per step and activity, until the end", () => {
    const moments = [
      momentOf(0),
      momentOf(5, { message: "more pods" }),
      momentOf(10, { step: 1, weight: 20, stepText: "pause", activity: "waiting" }),
      momentOf(60, { step: 1, weight: 20, stepText: "pause", activity: "progressing" }),
    ];
    const { blocks, weights } = prepareCourse(courseOf({ moments }), 0);
    expect(
      blocks.map(({ fromMs, toMs, text, activity }) => [fromMs - startMs, toMs - startMs, text, activity]),
    ).toEqual([
      [0, 10_000, "20 %", "progressing"],
      [10_000, 60_000, "wait", "waiting"],
      [60_000, 100_000, "wait", "progressing"],
    ]);
    expect(weights.map(({ atMs, weight }) => [atMs - startMs, weight])).toEqual([
      [0, 0],
      [10_000, 20],
    ]);
  });

  it("lasts until now while it is under way, and never nothing", () => {
    expect(prepareCourse(courseOf({ to: null }), startMs + 70_000).toMs).toBe(startMs + 70_000);
    expect(prepareCourse(courseOf({ to: at(0) }), 0).toMs).toBeGreaterThan(startMs);
  });

  it("keeps everything within the axis: a run that outlives the release, a clock that differs", () => {
    const run = {
      uid: "u",
      startedAt: at(-5),
      completedAt: at(500),
      phase: "Successful",
    } as ReleaseCourse["runs"][number];
    const act = {
      seq: 7,
      time: at(-1),
      who: "operator",
      did: "continued it",
      source: "gatehouse",
    } as ReleaseCourse["acts"][number];
    const { lanes, people, stops } = prepareCourse(courseOf({ runs: [run], acts: [act] }), 0);
    expect(lanes).toMatchObject([{ fromMs: startMs, toMs: startMs + 100_000 }]);
    expect(people).toMatchObject([{ atMs: startMs, text: "operator continued it", kind: "person" }]);
    expect(stops).toEqual([startMs, startMs + 10_000, startMs + 100_000]);
  });

  it("places experiments with their analyses; one without an end lasts until now, or until it was gone", () => {
    const experiment = {
      uid: "e",
      name: "app-1",
      createdAt: at(20),
      completedAt: null,
      goneAt: null,
      templates: [],
      runs: [
        { uid: "r", startedAt: at(25), completedAt: at(40) },
        { uid: "not-started", startedAt: null, completedAt: null },
      ],
    } as unknown as ReleaseCourse["experiments"][number];
    const gone = { ...experiment, uid: "g", runs: [], goneAt: at(50) };
    const { experiments, lanes, stops } = prepareCourse(courseOf({ experiments: [experiment, gone] }), 0);
    expect(experiments.map(({ fromMs, toMs }) => [fromMs - startMs, toMs - startMs])).toEqual([
      [20_000, 100_000],
      [20_000, 50_000],
    ]);
    expect(experiments[0]?.lanes).toMatchObject([{ uid: "r", fromMs: startMs + 25_000, toMs: startMs + 40_000 }]);
    expect(lanes).toEqual([]);
    expect(stops.map((stop) => (stop - startMs) / 1000)).toEqual([0, 10, 20, 25, 40, 50, 100]);
  });
});

describe("a part of the course", () => {
  const run = (uid: string, from: number, to: number) =>
    ({ uid, startedAt: at(from), completedAt: at(to) }) as unknown as ReleaseCourse["runs"][number];
  const whole = prepareCourse(
    courseOf({
      moments: [momentOf(0), momentOf(10, { step: 1, weight: 20 }), momentOf(60, { step: 2, weight: 40 })],
      runs: [run("before", 0, 20), run("across", 15, 80), run("after", 70, 90)],
    }),
    0,
  );
  const part = cutCourse(whole, [startMs + 30_000, startMs + 65_000]);
  const seconds = ({ fromMs, toMs }: { fromMs: number; toMs: number }) => [
    (fromMs - startMs) / 1000,
    (toMs - startMs) / 1000,
  ];

  it("begins with the weight that is in force", () => {
    expect(part.weights).toEqual([
      { atMs: startMs + 30_000, weight: 20 },
      { atMs: startMs + 60_000, weight: 40 },
    ]);
  });

  it("cuts stretches, says which go on, and leaves out the others", () => {
    expect(part.lanes.map(({ uid, isCut, ...span }) => [uid, isCut, seconds(span)])).toEqual([
      ["across", true, [30, 65]],
    ]);
    expect(part.blocks.map(seconds)).toEqual([
      [30, 60],
      [60, 65],
    ]);
  });

  it("stops at its own ends", () => {
    expect(part.stops.map((stop) => (stop - startMs) / 1000)).toEqual([30, 60, 65]);
  });

  it("is the whole if the range is", () => {
    expect(cutCourse(whole, [whole.fromMs, whole.toMs])).toEqual(whole);
  });
});

it("steps from change to change, and stays at the ends", () => {
  const stops = [0, 10, 50];
  expect([nextStop(stops, 0, 1), nextStop(stops, 20, 1), nextStop(stops, 50, 1)]).toEqual([10, 50, 50]);
  expect([nextStop(stops, 50, -1), nextStop(stops, 20, -1), nextStop(stops, 0, -1)]).toEqual([10, 10, 0]);
});

it("finds the moment in force", () => {
  const moments = [momentOf(0), momentOf(10, { step: 1 })];
  expect(momentAt(moments, startMs + 9_999)?.step).toBe(0);
  expect(momentAt(moments, startMs + 10_000)?.step).toBe(1);
  expect(momentAt(moments, startMs - 1)?.step).toBe(0);
  expect(momentAt([], 0)).toBeUndefined();
});

describe("describeMoment", () => {
  it.each([
    [momentOf(0, { step: 3, weight: 40, activity: "waiting" }), "at 40 %, step 4 of 4, waiting for a person"],
    [momentOf(0, { weight: 0 }), "at 0 %, step 1 of 4, progressing"],
    [momentOf(0, { step: 4, weight: 100, phase: "Healthy" }), "at 100 %, all 4 steps done, healthy"],
    [momentOf(0, { weight: 0, phase: "Degraded" }), "0 % on the new version"],
    [momentOf(0, { weight: 20, phase: "Degraded" }), "degraded, 20 % on the new version"],
    [momentOf(0, { step: null, stepCount: 0, weight: null, activity: "held" }), "paused by a person"],
  ])("%j", (moment, words) => {
    expect(describeMoment(moment)).toBe(words);
  });

  it("names the version that the traffic is on", () => {
    const words = describeMoment(momentOf(0, { weight: 0, phase: "Degraded" }), ["registry/query-api:v5.3.0"]);
    expect(words).toBe("0 % on v5.3.0");
  });
});

it.each([
  { policiesKnownFrom: at(0), says: "Freeze windows count as the config of that time had them." },
  {
    policiesKnownFrom: null,
    says: "Freeze windows count as the current config has them; those of that time are unknown.",
  },
  {
    policiesKnownFrom: at(60),
    says: `Until ${formatExact(at(60))}, freeze windows count as the current config has them; those of that time are unknown.`,
  },
])("says by which config freezes count, known from $policiesKnownFrom", ({ policiesKnownFrom, says }) => {
  expect(describeFreezeConfig({ from: at(0), policiesKnownFrom })).toBe(says);
});

describe("splitTime", () => {
  const none = { progressing: 0, analysing: 0, pausing: 0, waiting: 0, held: 0 };
  type Course = Parameters<typeof splitTime>[0];
  const courseOf = (activities: Partial<typeof none>, order: Course["moments"] = []): Course => {
    const total = Object.values(activities).reduce((sum, each) => sum + each, 0);
    return {
      ...{ from: at(0), to: at(total), moments: order },
      time: { total, activities: { ...none, ...activities }, frozen: 0 },
    };
  };

  it("lists activities in the order in which they first occurred, with times that add up to the whole", () => {
    const order = (["pausing", "waiting", "pausing"] as const).map((activity) => ({ activity }));
    const course = courseOf({ progressing: 2.4, pausing: 18 * 60 + 57, waiting: 38 * 60 + 10 }, order);
    expect(splitTime(course).map(({ activity, seconds }) => [activity, seconds])).toEqual([
      ["pausing", 19 * 60],
      ["waiting", 38 * 60],
      ["progressing", 2.4],
    ]);
  });

  it("leaves out what took no time", () => {
    expect(splitTime(courseOf({ progressing: 25, waiting: 75 }))).toMatchObject([
      { activity: "progressing", share: 0.25 },
      { activity: "waiting", share: 0.75 },
    ]);
  });

  it("has percents that sum to 100, and names what is less than one", () => {
    const shares = splitTime(courseOf({ progressing: 0.82, analysing: 11.9, pausing: 1.03 }));
    expect(shares.map(({ percent }) => percent)).toEqual(["6 %", "87 %", "7 %"]);
    const most = splitTime(courseOf({ pausing: 2, waiting: 998 }));
    expect(most.map(({ percent }) => percent)).toEqual(["under 1 %", "over 99 %"]);
  });

  it.each([
    [
      [1 / 3, 1 / 3, 1 / 3],
      [34, 33, 33],
    ],
    [
      [0.5, 0.25],
      [50, 25],
    ],
    [[], []],
  ])("rounds %j to %j", (shares, percents) => {
    expect(roundPercents(shares)).toEqual(percents);
  });

  it("takes no time at all", () => {
    expect(splitTime(courseOf({}))).toEqual([]);
  });
});
