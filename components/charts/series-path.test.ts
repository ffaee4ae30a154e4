import { expect, it } from "vitest";
import { drawLine, drawStretches } from "#components/charts/series-path.ts";

const plot = { x: (atMs: number) => atMs / 10, y: (value: number) => 100 - value };

it.each([
  {
    name: "joins values",
    rows: [
      [0, 1],
      [10, 0],
    ],
    path: "M0 99L1 100",
  },
  {
    name: "breaks at a gap",
    rows: [
      [0, 1],
      [5, null],
      [10, 2],
      [20, 3],
    ],
    path: "M0 99M1 98L2 97",
  },
  {
    name: "breaks where the axis has no place",
    rows: [
      [0, 1],
      [10, Number.NaN],
      [20, 2],
    ],
    path: "M0 99M2 98",
  },
  { name: "draws nothing of nothing", rows: [], path: "" },
] as { name: string; rows: [number, number | null][]; path: string }[])("$name", ({ rows, path }) => {
  expect(
    drawLine(
      rows.map(([atMs, value]) => ({ atMs, value })),
      plot,
    ),
  ).toBe(path);
});

it("draws the range of a stretch, and a point as a point", () => {
  const stretches = [
    { atMs: 0, low: 1, high: 5 },
    { atMs: 100, low: 2, high: 2 },
  ];
  expect(drawStretches(stretches, plot)).toBe("M0 99V95L10 98");
});
