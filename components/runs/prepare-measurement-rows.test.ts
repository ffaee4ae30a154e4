import { expect, it } from "vitest";
import { describeRecorded, prepareMeasurementRows, whyOf } from "#components/runs/prepare-measurement-rows.ts";
import type { Measurement } from "#lib/contract/analysis-run.ts";

const measured = (seq: number) => ({ seq }) as Measurement;

it.each([
  { name: "no gaps", seqs: [1, 2], gaps: [], rows: [1, 2] },
  { name: "a gap at the start", seqs: [3], gaps: [{ afterSeq: 0, count: 2 }], rows: ["2 measurements lost", 3] },
  { name: "a gap between", seqs: [1, 6], gaps: [{ afterSeq: 1, count: 4 }], rows: [1, "4 measurements lost", 6] },
  { name: "a gap at the end", seqs: [1], gaps: [{ afterSeq: 1, count: 1 }], rows: [1, "1 measurement lost"] },
  { name: "a gap of a later page", seqs: [1], gaps: [{ afterSeq: 9, count: 1 }], rows: [1] },
  { name: "everything lost", seqs: [], gaps: [{ afterSeq: 0, count: 3 }], rows: ["3 measurements lost"] },
])("$name", ({ seqs, gaps, rows }) => {
  const prepared = prepareMeasurementRows(seqs.map(measured), gaps);
  expect(prepared.map((row) => (row.kind === "gap" ? row.words : row.measurement.seq))).toEqual(rows);
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
  { name: "a reason", explanation: "0.97 >= 0.95 passes.", message: "", why: "0.97 >= 0.95 passes." },
  { name: "no reason", explanation: undefined, message: "", why: "" },
  { name: "the message again", explanation: "It could not be taken: no route", message: "no route", why: "" },
])("why: $name", ({ explanation, message, why }) => {
  expect(whyOf({ ...measured(1), message, explanation })).toBe(why);
});

it("says of one that the controller took again that it does not count", () => {
  const taken = { ...measured(1), message: "", explanation: "0.97 >= 0.95 passes.", superseded: true };
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
