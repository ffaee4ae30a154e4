import { describe, expect, it } from "vitest";
import { type KeptValues, keepChanges } from "./keep-changes.ts";

const atSecond = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();

/** Plays scrapes of one gauge, 15 s apart; undefined is a scrape without it. Returns the stored values, by second. */
function play(...values: (number | undefined)[]): [second: number, value: number][] {
  let before: KeptValues | undefined;
  const stored: [number, number][] = [];
  values.forEach((value, index) => {
    const given = value === undefined ? [] : [{ series: "presubmits", labels: "", value }];
    const { rows, kept } = keepChanges({ at: atSecond(index * 15), values: given }, before);
    stored.push(
      ...rows.map(({ at, value: each }): [number, number] => [(Date.parse(at) - Date.parse(atSecond(0))) / 1000, each]),
    );
    before = kept;
  });
  return stored;
}

const cases: { name: string; values: (number | undefined)[]; stored: [number, number][] }[] = [
  { name: "the first value", values: [7], stored: [[0, 7]] },
  { name: "a value that stays, once", values: [7, 7, 7], stored: [[0, 7]] },
  {
    name: "a value that stays, again after five minutes",
    values: Array(21).fill(7),
    stored: [
      [0, 7],
      [300, 7],
    ],
  },
  {
    name: "each change",
    values: [7, 8, 9],
    stored: [
      [0, 7],
      [15, 8],
      [30, 9],
    ],
  },
  {
    name: "a step with the value before it",
    values: [7, 7, 7, 2],
    stored: [
      [0, 7],
      [30, 7],
      [45, 2],
    ],
  },
  {
    name: "the last value of what goes",
    values: [7, 7, undefined],
    stored: [
      [0, 7],
      [15, 7],
    ],
  },
  {
    name: "what comes back",
    values: [7, undefined, 7],
    stored: [
      [0, 7],
      [30, 7],
    ],
  },
  {
    name: "zeros",
    values: [0, 0, 1],
    stored: [
      [0, 0],
      [15, 0],
      [30, 1],
    ],
  },
];

describe("storing a scrape", () => {
  it.each(cases)("stores $name", ({ values, stored }) => {
    expect(play(...values)).toEqual(stored);
  });
});
