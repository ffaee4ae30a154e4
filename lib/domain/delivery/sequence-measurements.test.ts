import { describe, expect, it } from "vitest";
import type { Measurement } from "#lib/domain/delivery/measuring.ts";
import { type KnownMeasurement, type MeasurementGap, sequenceMeasurements } from "./sequence-measurements.ts";

const runStart = "2026-01-01T00:00:00Z";
const at = (second: number): string => new Date(Date.parse(runStart) + second * 1000).toISOString();

function finished(from: number, to: number): Measurement[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({
    phase: "Successful",
    message: "",
    value: String(from + index),
    startedAt: at(from + index),
    finishedAt: at(from + index),
  }));
}
const inFlight = (second: number): Measurement => ({
  phase: "Running",
  message: "",
  value: undefined,
  startedAt: at(second),
  finishedAt: undefined,
});
const known = (from: number, to: number): KnownMeasurement[] =>
  finished(from, to).map((each, index) => ({ seq: from + index, startedAt: each.startedAt ?? "" }));

type Case = {
  name: string;
  list: Measurement[];
  count: number;
  error?: number;
  lastSeq?: number;
  known?: KnownMeasurement[];
  seqs: number[];
  gaps?: MeasurementGap[];
  last: number;
  inconsistent?: boolean;
  /** Numbers of the list that were retaken, and starts of those that no longer count. */
  again?: number[];
  superseded?: string[];
  /** Numbers of the list that were known as in flight, and have ended. */
  ends?: number[];
};

const cases: Case[] = [
  { name: "nothing measured yet", list: [], count: 0, seqs: [], last: 0 },
  { name: "the first in flight", list: [inFlight(1)], count: 0, seqs: [1], last: 0 },
  { name: "untrimmed", list: finished(1, 3), count: 3, seqs: [1, 2, 3], last: 3 },
  { name: "errors are not in count", list: finished(1, 3), count: 1, error: 2, seqs: [1, 2, 3], last: 3 },
  { name: "trimmed, all before stored", list: finished(16, 25), count: 25, lastSeq: 15, seqs: range(16, 25), last: 25 },
  {
    name: "trimmed, overlap with what is stored",
    list: finished(16, 25),
    count: 25,
    lastSeq: 24,
    known: known(20, 24),
    seqs: range(16, 25),
    last: 25,
  },
  {
    name: "first seen when trimmed",
    list: finished(16, 25),
    count: 25,
    seqs: range(16, 25),
    gaps: [{ afterSeq: 0, count: 15 }],
    last: 25,
  },
  {
    name: "some were missed",
    list: finished(16, 25),
    count: 25,
    lastSeq: 9,
    seqs: range(16, 25),
    gaps: [{ afterSeq: 9, count: 6 }],
    last: 25,
  },
  {
    name: "the list is empty, the counters moved",
    list: [],
    count: 4,
    lastSeq: 1,
    seqs: [],
    gaps: [{ afterSeq: 1, count: 3 }],
    last: 4,
  },
  {
    name: "one in flight behind trimmed ones",
    list: [...finished(16, 25), inFlight(26)],
    count: 25,
    lastSeq: 15,
    seqs: range(16, 26),
    last: 25,
  },
  {
    name: "only one in flight is left, errors counted",
    list: [inFlight(9)],
    count: 2,
    error: 1,
    lastSeq: 3,
    seqs: [4],
    last: 3,
  },
  {
    name: "a run that lived 0.2 s: its only sight has all",
    list: finished(1, 5),
    count: 5,
    seqs: range(1, 5),
    last: 5,
  },
  {
    name: "a run that lived 0.2 s, trimmed: what its only sight lacks is a gap",
    list: finished(3, 12),
    count: 10,
    error: 2,
    seqs: range(3, 12),
    gaps: [{ afterSeq: 0, count: 2 }],
    last: 12,
  },
  {
    name: "what was in flight has finished",
    list: finished(1, 4),
    count: 4,
    lastSeq: 3,
    known: known(1, 3),
    seqs: range(1, 4),
    last: 4,
  },
  {
    name: "what was in flight has finished and is trimmed away",
    list: finished(16, 25),
    count: 25,
    lastSeq: 14,
    seqs: range(16, 25),
    gaps: [{ afterSeq: 14, count: 1 }],
    last: 25,
  },
  {
    name: "errors count for the size of a hole",
    list: finished(16, 25),
    count: 20,
    error: 5,
    lastSeq: 10,
    seqs: range(16, 25),
    gaps: [{ afterSeq: 10, count: 5 }],
    last: 25,
  },
  {
    name: "nothing new since",
    list: finished(1, 3),
    count: 3,
    lastSeq: 3,
    known: known(1, 3),
    seqs: range(1, 3),
    last: 3,
  },
  {
    name: "only one in flight is left, and some before it were missed",
    list: [inFlight(9)],
    count: 6,
    lastSeq: 4,
    seqs: [7],
    gaps: [{ afterSeq: 4, count: 2 }],
    last: 6,
  },
  {
    name: "a sight that is behind what is stored",
    list: finished(1, 2),
    count: 2,
    lastSeq: 5,
    known: known(1, 5),
    seqs: [1, 2],
    last: 5,
  },
  { name: "counters below the list", list: finished(1, 3), count: 1, seqs: [1, 2, 3], last: 3, inconsistent: true },
  {
    name: "counters below the list, two stored",
    list: finished(2, 4),
    count: 1,
    lastSeq: 3,
    known: known(1, 3),
    seqs: [2, 3, 4],
    last: 4,
    inconsistent: true,
  },
  { name: "two in flight", list: [inFlight(2), inFlight(1)], count: 0, seqs: [1, 2], last: 0, inconsistent: true },
  {
    name: "another start under a stored number",
    list: finished(5, 7),
    count: 3,
    lastSeq: 3,
    known: known(1, 3),
    seqs: [4, 5, 6],
    last: 6,
    inconsistent: true,
  },
];

/** Builds known measurements with their content: the value follows from the start, unless another one is given. */
const stored = (...measured: [seq: number, second: number, value?: string][]): KnownMeasurement[] =>
  measured.map(([seq, second, value = String(second)]) => ({ seq, startedAt: at(second), content: value }));
const taken = (second: number, value = String(second)): Measurement[] =>
  finished(second, second).map((each) => ({ ...each, value }));

const takenAgain: Case[] = [
  {
    name: "the newest is taken again: its number stays, the one before counts no more",
    list: [...finished(1, 2), ...taken(9)],
    count: 3,
    lastSeq: 3,
    known: stored([1, 1], [2, 2], [3, 3]),
    seqs: [1, 2, 3],
    last: 3,
    again: [3],
    superseded: [at(3)],
    ends: [],
  },
  {
    name: "the only one is taken again",
    list: taken(9),
    count: 1,
    lastSeq: 1,
    known: stored([1, 1]),
    seqs: [1],
    last: 1,
    again: [1],
    superseded: [at(1)],
  },
  {
    name: "taken again and again while the counter stands",
    list: [...finished(1, 2), ...taken(9)],
    count: 3,
    lastSeq: 3,
    known: stored([1, 1], [2, 2], [3, 3], [3, 5], [3, 7]),
    seqs: [1, 2, 3],
    last: 3,
    again: [3],
    superseded: [at(3), at(5), at(7)],
  },
  {
    name: "taken again in the same second, with another value",
    list: [...finished(1, 2), ...taken(3, "other")],
    count: 3,
    lastSeq: 3,
    known: stored([1, 1], [2, 2], [3, 3]),
    seqs: [1, 2, 3],
    last: 3,
    again: [3],
    superseded: [at(3)],
  },
  {
    name: "the controller goes back to the one before, which counts again",
    list: [...finished(1, 3), ...taken(10)],
    count: 4,
    lastSeq: 3,
    known: stored([1, 1], [2, 2], [3, 3], [3, 9]),
    seqs: [1, 2, 3, 4],
    last: 4,
    superseded: [at(9)],
  },
  {
    name: "the two newest are taken again, with retention",
    list: [...taken(5), ...taken(16), ...taken(17)],
    count: 7,
    lastSeq: 7,
    known: stored([5, 5], [6, 6], [7, 7]),
    seqs: [5, 6, 7],
    last: 7,
    again: [6, 7],
    superseded: [at(6), at(7)],
  },
  {
    name: "the counters go back: what the controller has forgotten does not count",
    list: finished(1, 3),
    count: 3,
    lastSeq: 4,
    known: stored([1, 1], [2, 2], [3, 3], [4, 4]),
    seqs: [1, 2, 3],
    last: 4,
    superseded: [at(4)],
  },
  {
    name: "real holes are still counted after one that was taken again",
    list: finished(16, 25),
    count: 25,
    lastSeq: 12,
    known: stored([11, 11], [12, 12], [12, 14]),
    seqs: range(16, 25),
    gaps: [{ afterSeq: 12, count: 3 }],
    last: 25,
  },
  {
    name: "one that was in flight is replaced by another that has ended",
    list: [...finished(1, 2), ...taken(9)],
    count: 3,
    lastSeq: 2,
    known: [...stored([1, 1], [2, 2]), { seq: 3, startedAt: at(3) }],
    seqs: [1, 2, 3],
    last: 3,
    again: [3],
    superseded: [at(3)],
  },
  {
    name: "what was taken again ends, having been seen in flight",
    list: [...finished(1, 3), ...taken(9)],
    count: 4,
    lastSeq: 4,
    known: [...stored([1, 1], [2, 2], [3, 3], [4, 4]), { seq: 4, startedAt: at(9) }],
    seqs: [1, 2, 3, 4],
    last: 4,
    ends: [4],
    superseded: [at(4)],
  },
  {
    name: "what is in flight does not replace anything yet",
    list: [...finished(1, 2), inFlight(3)],
    count: 2,
    lastSeq: 2,
    known: [...stored([1, 1], [2, 2]), { seq: 3, startedAt: at(3) }],
    seqs: [1, 2, 3],
    last: 2,
  },
  {
    name: "every number has another start: the counters are wrong, nothing was taken again",
    list: finished(5, 7),
    count: 3,
    lastSeq: 3,
    known: stored([1, 1], [2, 2], [3, 3]),
    seqs: [4, 5, 6],
    last: 6,
    inconsistent: true,
  },
];

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

describe("sequenceMeasurements", () => {
  it.each([...cases, ...takenAgain])("$name", (row) => {
    const result = sequenceMeasurements({
      result: { measurements: row.list, count: row.count, error: row.error ?? 0 },
      lastSeq: row.lastSeq ?? 0,
      known: row.known ?? [],
      fallbackStart: runStart,
      contentOf: ({ value }) => value ?? "",
    });
    expect(result.measurements.flatMap(({ seq, isTakenAgain }) => (isTakenAgain ? seq : []))).toEqual(row.again ?? []);
    if (row.ends !== undefined)
      expect(result.measurements.flatMap(({ seq, isEnd }) => (isEnd ? seq : []))).toEqual(row.ends);
    expect(result.superseded.map(({ startedAt }) => startedAt)).toEqual(row.superseded ?? []);
    expect(result.measurements.map((each) => each.seq)).toEqual(row.seqs);
    expect(result.gaps).toEqual(row.gaps ?? []);
    expect(result.lastSeq).toBe(row.last);
    expect(result.inconsistent).toBe(row.inconsistent ?? false);
  });

  it.each([{ count: 0 }, { count: 3000 }])(
    "looks at each known one a few times, not once per measurement of the list: %o",
    ({ count }) => {
      let looks = 0;
      const known = finished(1, 3000).map(({ startedAt = "" }, index) => ({
        get seq() {
          looks++;
          return index + 1;
        },
        startedAt,
        content: "other",
      }));
      const result = { measurements: finished(1, 3000), count, error: 0 };
      sequenceMeasurements({ result, lastSeq: 3000, known, fallbackStart: runStart });
      expect(looks).toBeLessThan(10 * 3000);
    },
  );

  it("takes the end, else the run's start, where a measurement has no start", () => {
    const bare = { phase: "Error", message: "", value: undefined, startedAt: undefined };
    const { measurements } = sequenceMeasurements({
      result: {
        measurements: [
          { ...bare, finishedAt: at(4) },
          { ...bare, finishedAt: undefined },
        ],
        count: 0,
        error: 1,
      },
      lastSeq: 0,
      known: [],
      fallbackStart: runStart,
    });
    expect(measurements.map((each) => each.startedAt)).toEqual([at(4), runStart]);
  });
});
