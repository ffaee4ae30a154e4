import { describe, expect, it } from "vitest";
import {
  countPlaces,
  describeRecorded,
  formatForClipboard,
  padPlaces,
  prepareMeasurementRows,
  shortWhyOf,
  whyOf,
} from "#components/runs/prepare-measurement-rows.ts";
import type { Measurement } from "#lib/contract/analysis-run.ts";

const measured = (seq: number) => ({ seq }) as Measurement;

it.each([
  { name: "no gaps", seqs: [1, 2], gaps: [], rows: [1, 2] },
  { name: "a gap at the start", seqs: [3], gaps: [{ afterSeq: 0, count: 2 }], rows: ["2 measurements lost", 3] },
  { name: "a gap between", seqs: [1, 6], gaps: [{ afterSeq: 1, count: 4 }], rows: [1, "4 measurements lost", 6] },
  { name: "a gap at the end", seqs: [1], gaps: [{ afterSeq: 1, count: 1 }], rows: [1, "1 measurement lost"] },
  {
    name: "a gap behind others that are left out",
    seqs: [1],
    gaps: [{ afterSeq: 9, count: 1 }],
    rows: [1, "1 measurement lost"],
  },
  { name: "everything lost", seqs: [], gaps: [{ afterSeq: 0, count: 3 }], rows: ["3 measurements lost"] },
])("$name", ({ seqs, gaps, rows }) => {
  const prepared = prepareMeasurementRows(seqs.map(measured), gaps);
  expect(prepared.map((row) => (row.kind === "gap" ? row.words : row.measurement.seq))).toEqual(rows);
});

it.each([
  { name: "a gap of a later page", seqs: [1], gaps: [{ afterSeq: 9, count: 1 }], rows: [1] },
  { name: "a gap at its end", seqs: [1], gaps: [{ afterSeq: 1, count: 1 }], rows: [1, "1 measurement lost"] },
])("the first page of more: $name", ({ seqs, gaps, rows }) => {
  const prepared = prepareMeasurementRows(seqs.map(measured), gaps, { hasMore: true });
  expect(prepared.map((row) => (row.kind === "gap" ? row.words : row.measurement.seq))).toEqual(rows);
});

describe("newest first", () => {
  it.each([
    { name: "a gap between", seqs: [6, 1], gap: { afterSeq: 1, count: 4 }, rows: [6, "4 measurements lost", 1] },
    { name: "a gap at the end", seqs: [2, 1], gap: { afterSeq: 2, count: 1 }, rows: ["1 measurement lost", 2, 1] },
    { name: "a gap at the start", seqs: [3], gap: { afterSeq: 0, count: 2 }, rows: [3, "2 measurements lost"] },
  ])("$name", ({ seqs, gap, rows }) => {
    const prepared = prepareMeasurementRows(seqs.map(measured), [gap], { order: "desc" });
    expect(prepared.map((row) => (row.kind === "gap" ? row.words : row.measurement.seq))).toEqual(rows);
  });

  it.each([
    { name: "of an older page", gap: { afterSeq: 1, count: 2 }, rows: [9, 8] },
    { name: "at its end", gap: { afterSeq: 5, count: 2 }, rows: [9, 8, "2 measurements lost"] },
  ])("the first page of more, with a gap $name", ({ gap, rows }) => {
    const options = { order: "desc", hasMore: true, isDerived: true } as const;
    const prepared = prepareMeasurementRows([measured(9), measured(8)], [gap], options);
    expect(prepared.map((row) => (row.kind === "gap" ? row.words : row.measurement.seq))).toEqual(rows);
  });
});

it("does not take rows that a filter leaves out for rounds that were not evaluated", () => {
  const prepared = prepareMeasurementRows([measured(1), measured(7)], [], { isDerived: true, isFiltered: true });
  expect(prepared).toHaveLength(2);
});

it("copies rows with one cell for each column, none of them a formula", () => {
  const measurement: Measurement = {
    ...{ metric: "m", seq: 4, startedAt: "2026-11-20T10:00:11Z", finishedAt: "2026-11-20T10:00:12.500Z" },
    ...{ durationSeconds: 1.5, phase: "Error", value: "=1", parsed: { kind: "string" } },
    ...{ message: "no\troute,\nat all", superseded: false },
  };
  const [header, line, ...rest] = formatForClipboard([measurement], "2026-11-20T10:00:00Z").split("\n");
  expect(rest).toEqual([]);
  expect(header?.split("\t")).toHaveLength(7);
  expect(line?.split("\t")).toEqual([
    "4",
    "12.5",
    "'=1",
    "Error",
    "",
    '"no route, at all"',
    "2026-11-20T10:00:12.500Z",
  ]);
});

it.each([
  { name: "none", seqs: [1, 2], gaps: [], rows: [1, 2] },
  { name: "one", seqs: [1, 3], gaps: [], rows: [1, "not evaluated in 1 round: an earlier check had halted", 3] },
  {
    name: "some at the start and behind a gap",
    seqs: [3, 9],
    gaps: [{ afterSeq: 3, count: 4, open: true }],
    rows: [
      "not evaluated in 2 rounds: an earlier check had halted",
      3,
      "at least 4 measurements lost",
      "not evaluated in 1 round: an earlier check had halted",
      9,
    ],
  },
])("rounds of a derived run in which a metric was not evaluated: $name", ({ seqs, gaps, rows }) => {
  const prepared = prepareMeasurementRows(seqs.map(measured), gaps, { isDerived: true });
  expect(prepared.map((row) => (row.kind === "gap" ? row.words : row.measurement.seq))).toEqual(rows);
});

it.each([
  { name: "a reason", explanation: "0.97 ≥ 0.95, so it passes.", message: "", why: "0.97 ≥ 0.95, so it passes." },
  { name: "no reason", explanation: undefined, message: "", why: "" },
  { name: "the message again", explanation: "It could not be taken: no route", message: "no route", why: "" },
])("why: $name", ({ explanation, message, why }) => {
  expect(whyOf({ ...measured(1), message, explanation })).toBe(why);
});

it("says of one that the controller took again that it does not count", () => {
  const taken = { ...measured(1), message: "", explanation: "0.97 ≥ 0.95, so it passes.", superseded: true };
  expect(whyOf(taken)).toBe("Retaken by the controller: does not count.");
});

it.each([
  { name: "all", seqs: [1, 2], again: 0, recorded: 2, hasMore: false, words: "2 recorded" },
  {
    name: "some are taken again",
    seqs: [1, 2, 2],
    again: 1,
    recorded: 2,
    hasMore: false,
    words: "2 recorded, 1 retaken",
  },
  { name: "a page of them", seqs: [1, 2], again: 0, recorded: 9, hasMore: true, words: "2 of 9 recorded are loaded" },
])("counts: $name", ({ seqs, again, recorded, hasMore, words }) => {
  const items = seqs.map((_, index) => ({ superseded: index < again }));
  expect(describeRecorded(items, { recorded, hasMore })).toBe(words);
});

it.each([
  { count: 0, hasMore: false, words: "0 of 9 not successful" },
  { count: 2, hasMore: true, words: "2 or more of 9 not successful" },
])("counts what a filter leaves: $words", ({ count, hasMore, words }) => {
  const items = Array.from({ length: count }, () => ({ superseded: false }));
  expect(describeRecorded(items, { recorded: 9, hasMore, isFiltered: true })).toBe(words);
});

it.each([
  { phase: "Successful", explanation: "96.9 % ≥ 95 %, so it passes.", why: "" },
  { phase: "Failed", explanation: "79.8948 % < 90 %, so it fails.", why: "< 90 %, so it fails." },
  { phase: "Failed", explanation: "700 ms > 650 ms, so it fails.", why: "> 650 ms, so it fails." },
  {
    phase: "Inconclusive",
    explanation: "94.61 % neither passes (≥ 95 %) nor fails (< 90 %).",
    why: "neither passes (≥ 95 %) nor fails (< 90 %).",
  },
  {
    phase: "Successful",
    explanation: "Recorded as Successful, but its conditions give Failed: 12 is not < 5, so it fails.",
    why: "Recorded as Successful, but its conditions give Failed: 12 is not < 5, so it fails.",
  },
] as const)("shortens why: $explanation", ({ phase, explanation, why }) => {
  expect(shortWhyOf({ ...measured(1), phase, message: "", explanation })).toBe(why);
});

it("still says of a passing one that the controller took again that it does not count", () => {
  const taken = { ...measured(1), message: "", explanation: "0.97 ≥ 0.95, so it passes.", superseded: true };
  expect(shortWhyOf({ ...taken, phase: "Successful" })).toMatch(/^Retaken/);
});

const valued = (...numbers: number[]) =>
  numbers.map((number) => ({ value: `[${number}]`, parsed: { kind: "number" as const, number } }));

it.each([
  { name: "percents", unit: "ratio", values: valued(0.969026, 0.9461, 1), places: 4 },
  { name: "values in their unit", unit: "ms", values: valued(347.12, 200), places: 2 },
  { name: "too many places", unit: "ms", values: valued(0.123456789), places: 0 },
  { name: "values without a unit", unit: null, values: valued(1.5), places: 0 },
  { name: "no number", unit: "ms", values: [{ value: "a.25", parsed: { kind: "string" as const } }], places: 0 },
])("counts the places of a column: $name", ({ unit, values, places }) => {
  expect(countPlaces(values, unit)).toBe(places);
});

it("puts the points of a column below each other, with all digits and no others", () => {
  expect(["96.9026", "94.61", "100"].map((digits) => `${digits}${padPlaces(digits, 4)}`.length)).toEqual([7, 7, 8]);
  expect(padPlaces("94.61", 4)).toBe("\u00a0\u00a0");
  expect(padPlaces("100", 0)).toBe("");
});
