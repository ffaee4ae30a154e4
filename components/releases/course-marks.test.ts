import { describe, expect, it } from "vitest";
import { groupMarks } from "#components/releases/course-marks.tsx";
import type { CourseMark } from "#components/releases/prepare-course.ts";

const mark = (atMs: number): CourseMark => ({ key: `at ${atMs}`, atMs, kind: "warning", text: "Unhealthy" });
const place = (atMs: number) => atMs / 1000;
const group = (times: readonly number[], width: number) =>
  groupMarks(times.map(mark), place, width).map((marks) => marks.map(({ atMs }) => atMs));

describe("groupMarks", () => {
  it("groups what would cover each other, in the order of time", () => {
    expect(group([500, 0, 510, 900], 1000)).toEqual([[0], [500, 510], [900]]);
    expect(group([500, 524], 1000)).toEqual([[500], [524]]);
  });

  it("groups more on a narrow axis", () => {
    expect(group([0, 100, 200], 1000)).toEqual([[0], [100], [200]]);
    expect(group([0, 100, 200], 200)).toEqual([[0, 100], [200]]);
  });

  it("counts that marks at an end are moved inwards", () => {
    expect(group([0, 30], 1000)).toEqual([[0, 30]]);
    expect(group([970, 1000], 1000)).toEqual([[970, 1000]]);
  });

  it("assumes a usual width before the axis was measured", () => {
    expect(group([0, 500], 0)).toEqual([[0], [500]]);
    expect(group([], 0)).toEqual([]);
  });

  it("measures from the mark that is drawn, so that a row of near ones is several", () => {
    expect(group([100, 120, 140], 1000)).toEqual([[100, 120], [140]]);
  });
});
