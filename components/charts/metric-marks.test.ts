import { describe, expect, it } from "vitest";
import { placeFlag, placeLabel } from "#components/charts/metric-marks.tsx";
import { computePlot } from "#components/charts/plot.ts";

// 60 to 960 pixels wide, 10 to 210 high.
const plot = computePlot({ width: 972, timeDomain: [0, 900], valueDomain: [0, 200], labelLength: 0 });
const words = "limit exceeded here: 2 failed, 1 allowed";

it.each([
  { name: "left of the line", x: 600, others: [], isLow: false, textAnchor: "end" },
  { name: "right of it, without room on the left", x: 100, others: [], isLow: false, textAnchor: "start" },
  { name: "right, if a point is on the left", x: 600, others: [{ x: 500, y: 24 }], isLow: false, textAnchor: "start" },
  {
    ...{ name: "below, if points are on both sides", x: 600, isLow: true, textAnchor: "end" },
    others: [
      { x: 500, y: 24 },
      { x: 700, y: 24 },
    ],
  },
  {
    ...{ name: "left, if every place has a point", x: 600, isLow: false, textAnchor: "end" },
    others: [500, 700].flatMap((x) => [24, 205].map((y) => ({ x, y }))),
  },
  { name: "left, over no point that is lower", x: 600, others: [{ x: 500, y: 60 }], isLow: false, textAnchor: "end" },
])("places the words of a limit $name", ({ x, others, isLow, textAnchor }) => {
  expect(placeFlag(plot, { x, y: 100, words, others })).toMatchObject({ isLow, textAnchor });
});

describe("the label of a limit", () => {
  const input = { timeDomain: [0, 900], valueDomain: [0, 200], labelLength: 11 } as const;
  const wide = computePlot({ ...input, width: 972 });
  const narrow = computePlot({ ...input, width: 332 });
  const at = (labelAt: number) => ({ label: "pass ≥ 95 %", labelAt });

  it("is at the end of its line, where it has room", () => {
    expect(placeLabel(wide, at(100), [])).toMatchObject({ x: wide.right + 6, y: wide.y(100) + 4 });
    expect(wide.right).toBeLessThan(900);
  });

  it("is above its line on a phone, whose chart keeps all of its width", () => {
    expect(placeLabel(narrow, at(100), [])).toEqual({ x: 64, y: narrow.y(100) - 4, textAnchor: "start" });
    expect(narrow.right).toBe(320);
  });

  it("is below its line, at the other end, or between them, if points are in its place", () => {
    const [left, right] = [80, 300].map((x) => ({ x, y: narrow.y(100) - 6 })) as [Place, Place];
    expect(placeLabel(narrow, at(100), [left])).toEqual({ x: 64, y: narrow.y(100) + 12, textAnchor: "start" });
    const low = { ...left, y: narrow.y(100) + 6 };
    expect(placeLabel(narrow, at(100), [left, low])).toEqual({ x: 316, y: narrow.y(100) - 4, textAnchor: "end" });
    const ends = [left, low, right, { ...right, y: narrow.y(100) + 6 }];
    expect(placeLabel(narrow, at(100), ends)).toEqual({ x: 88, y: narrow.y(100) - 4, textAnchor: "start" });
  });

  it("is nowhere on the marks of points that are close to its line", () => {
    const points = Array.from({ length: 9 }, (_, index) => ({ x: 70 + index * 30, y: narrow.y(100) + 5 }));
    expect(placeLabel(narrow, at(100), points)).toEqual({ x: 64, y: narrow.y(100) - 4, textAnchor: "start" });
  });

  it("is inside the plot at its edges", () => {
    expect(placeLabel(narrow, at(200), []).y).toBe(narrow.top + 12);
    expect(
      placeLabel(
        narrow,
        at(0),
        [80, 300].map((x) => ({ x, y: narrow.bottom - 6 })),
      ).y,
    ).toBe(narrow.bottom - 4);
  });
});

type Place = { x: number; y: number };
