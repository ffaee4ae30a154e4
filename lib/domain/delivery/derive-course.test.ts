import { describe, expect, it } from "vitest";
import type { DeliveryState } from "#lib/domain/delivery/observation.ts";
import { at, stateOf } from "#lib/domain/oversight/testing/facts.ts";
import { deriveCourse, sumActivities } from "./derive-course.ts";

const observe = (seconds: number, change: Partial<DeliveryState>) => ({
  observedAt: at(seconds),
  state: stateOf(change),
});

describe("deriveCourse", () => {
  it("has a moment for each change of what is shown, and none for the rest", () => {
    const course = deriveCourse([
      observe(0, { weight: 0, step: 0 }),
      observe(1, { weight: 0, step: 0, isSpecObserved: false }),
      observe(2, { weight: 20, step: 1 }),
      observe(3, { weight: 20, step: 1, waits: [{ key: "a", text: "Waits for a person" }], activity: "waiting" }),
    ]);
    expect(course).toMatchObject([
      { at: at(0), weight: 0 },
      { at: at(2), weight: 20, waits: [] },
      { at: at(3), weight: 20, waits: ["Waits for a person"], activity: "waiting" },
    ]);
  });

  it("keeps a weight of 0 apart from one that is unknown", () => {
    const course = deriveCourse([observe(0, { weight: null }), observe(1, { weight: 0 })]);
    expect(course.map(({ weight }) => weight)).toEqual([null, 0]);
  });
});

describe("sumActivities", () => {
  it("adds up to the whole time, the last moment until the end", () => {
    const course = deriveCourse([
      observe(0, { step: 0 }),
      observe(10, { step: 1, activity: "analysing" }),
      observe(25, { step: 2, activity: "waiting" }),
      observe(60, { step: 3 }),
    ]);
    expect(sumActivities(course, Date.parse(at(70)))).toEqual({
      progressing: 20_000,
      analysing: 15_000,
      pausing: 0,
      waiting: 35_000,
      held: 0,
    });
  });

  it("takes an end before the last moment for that moment", () => {
    const course = deriveCourse([observe(10, {})]);
    expect(sumActivities(course, Date.parse(at(0)))).toMatchObject({ progressing: 0 });
  });
});
