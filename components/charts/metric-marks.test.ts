import { expect, it } from "vitest";
import { placeFlag } from "#components/charts/metric-marks.tsx";
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
