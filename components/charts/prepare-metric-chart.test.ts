import { describe, expect, it } from "vitest";
import { prepareMetricChart } from "#components/charts/prepare-metric-chart.ts";
import type { Measurement, ParsedValue, Threshold } from "#lib/contract/analysis-run.ts";

const start = Date.parse("2026-11-20T12:00:00Z");
const at = (minutes: number) => new Date(start + minutes * 60_000).toISOString();
const timeDomain = [start, start + 60 * 60_000] as const;

function measured(seq: number, parsed: ParsedValue | number, more: Partial<Measurement> = {}): Measurement {
  const value: ParsedValue = typeof parsed === "number" ? { kind: "number", number: parsed } : parsed;
  return {
    metric: "m",
    seq,
    startedAt: at(seq),
    finishedAt: at(seq),
    durationSeconds: 1,
    phase: "Successful",
    value: typeof parsed === "number" ? String(parsed) : null,
    parsed: value,
    message: "",
    superseded: false,
    ...more,
  };
}

function threshold(value: number, more: Partial<Threshold> = {}): Threshold {
  return {
    condition: "success",
    accessor: "result[0]",
    operator: ">=",
    value,
    text: String(value),
    inclusive: true,
    region: "above",
    ...more,
  };
}

function prepare(
  measurements: Measurement[],
  metric: Partial<Parameters<typeof prepareMetricChart>[0]["metric"]> = {},
) {
  return prepareMetricChart({
    metric: { thresholds: [], gaps: [], recorded: measurements.length, ...metric },
    measurements,
    timeDomain,
  });
}

describe("the line", () => {
  const values = (measurements: Measurement[], metric = {}) =>
    prepare(measurements, metric).line.map(({ value }) => value);

  it.each([
    { name: "joins consecutive measurements", list: [measured(1, 1), measured(2, 0)], gaps: [], expected: [1, 0] },
    { name: "sorts by seq", list: [measured(2, 2), measured(1, 1)], gaps: [], expected: [1, 2] },
    {
      name: "breaks at a gap",
      list: [measured(1, 1), measured(4, 2)],
      gaps: [{ afterSeq: 1, count: 2 }],
      expected: [1, null, 2],
    },
    {
      name: "breaks where seq jumps without a recorded gap",
      list: [measured(1, 1), measured(3, 2)],
      gaps: [],
      expected: [1, null, 2],
    },
    {
      name: "breaks at a value that is no number",
      list: [measured(1, 1), measured(2, { kind: "nan" }), measured(3, 2)],
      gaps: [],
      expected: [1, null, 2],
    },
    { name: "has a single point", list: [measured(1, 5)], gaps: [], expected: [5] },
    { name: "has nothing", list: [], gaps: [], expected: [] },
  ])("$name", ({ list, gaps, expected }) => {
    expect(values(list, { gaps })).toEqual(expected);
  });

  it("stays joined where the server left points out", () => {
    expect(values([measured(1, 1), measured(9, 2)], { recorded: 50 })).toEqual([1, 2]);
  });

  it("breaks at a gap even where the server left points out", () => {
    const gaps = [{ afterSeq: 5, count: 1 }];
    expect(values([measured(1, 1), measured(9, 2)], { recorded: 50, gaps })).toEqual([1, null, 2]);
  });
});

describe("marks at the bottom edge", () => {
  it.each([
    { parsed: { kind: "nan" as const }, more: {}, word: "NaN" },
    { parsed: { kind: "+inf" as const }, more: {}, word: "+Inf" },
    { parsed: { kind: "-inf" as const }, more: {}, word: "-Inf" },
    { parsed: { kind: "array" as const }, more: { value: "[NaN]" }, word: "NaN" },
    { parsed: { kind: "array" as const }, more: { value: "[+Inf,0.2]" }, word: "+Inf" },
    { parsed: { kind: "array" as const }, more: { value: "[[-Inf 1]]" }, word: "-Inf" },
    { parsed: { kind: "array" as const }, more: { value: '["NaN"]' }, word: "list" },
    { parsed: { kind: "array" as const }, more: { value: '["a"]' }, word: "list" },
    { parsed: { kind: "array" as const }, more: { value: "[]" }, word: "empty" },
    { parsed: { kind: "array" as const }, more: { value: "[[ ]]" }, word: "empty" },
    { parsed: { kind: "empty" as const }, more: { value: "[]" }, word: "empty" },
    { parsed: { kind: "empty" as const }, more: { phase: "Error" as const }, word: "error" },
    { parsed: { kind: "empty" as const }, more: { phase: "Successful" as const, value: null }, word: "no value" },
    {
      parsed: { kind: "number" as const, number: 1 },
      more: { finishedAt: null, phase: "Running" as const },
      word: "measuring",
    },
  ])("says $word", ({ parsed, more, word }) => {
    const [point] = prepare([measured(1, parsed, more)]).points;
    expect(point).toMatchObject({ word, value: undefined });
  });

  it("does not mark zero", () => {
    expect(prepare([measured(1, 0)]).points[0]).toMatchObject({ value: 0, word: undefined });
  });
});

describe("gaps", () => {
  it("lie between the measurements that stand beside them", () => {
    const { gaps } = prepare([measured(1, 1), measured(6, 1)], { gaps: [{ afterSeq: 1, count: 4 }] });
    expect(gaps).toEqual([
      { fromMs: Date.parse(at(1)), toMs: Date.parse(at(6)), count: 4, words: "4 measurements lost" },
    ]);
  });

  it("reach to the ends of the axis", () => {
    const { gaps } = prepare([measured(3, 1)], {
      gaps: [
        { afterSeq: 0, count: 2 },
        { afterSeq: 3, count: 1 },
      ],
    });
    expect(gaps[0]).toMatchObject({ fromMs: timeDomain[0], toMs: Date.parse(at(3)) });
    expect(gaps[1]).toMatchObject({ fromMs: Date.parse(at(3)), toMs: timeDomain[1], words: "1 measurement lost" });
  });
});

describe("thresholds", () => {
  it("keep the text of the condition, and fill the region where it holds", () => {
    const { thresholds, valueDomain } = prepare([measured(1, 0.94)], {
      thresholds: [threshold(0.95, { text: "0.950" })],
    });
    expect(thresholds[0]).toMatchObject({ label: "pass ≥ 0.950", band: [0.95, valueDomain[1]], isOffScale: false });
  });

  it.each(["result", "result[0]", "asFloat(result[0])"])("draw a limit of %s", (accessor) => {
    expect(prepare([measured(1, 1)], { thresholds: [threshold(1, { accessor })] }).thresholds).toHaveLength(1);
  });

  it.each(["len(result)", "result[1]", "result.errors", "result[0][1]"])(
    "leave a limit of %s to the words",
    (accessor) => {
      expect(prepare([measured(1, 1)], { thresholds: [threshold(1, { accessor })] }).thresholds).toHaveLength(0);
    },
  );

  it("fill nothing for an equality", () => {
    const { thresholds } = prepare([measured(1, 1)], { thresholds: [threshold(1, { operator: "==", region: "at" })] });
    expect(thresholds[0]).toMatchObject({ label: "pass = 1", band: undefined });
  });

  it("move labels apart that would cover each other, within the axis", () => {
    const close = [threshold(0.951), threshold(0.95, { condition: "failure", operator: "<", region: "below" })];
    const { thresholds, valueDomain } = prepare([measured(1, 0.2), measured(2, 0.951)], { thresholds: close });
    const [low, high] = thresholds.map(({ labelAt }) => labelAt) as [number, number];
    expect(high - low).toBeGreaterThanOrEqual((valueDomain[1] - valueDomain[0]) * 0.0999);
    expect(high).toBeLessThanOrEqual(valueDomain[1]);
  });

  it("say where a threshold far beyond the data is", () => {
    const { thresholds, valueDomain } = prepare([measured(1, 1), measured(2, 2)], { thresholds: [threshold(1e6)] });
    expect(thresholds[0]).toMatchObject({ isOffScale: true, labelAt: valueDomain[1], band: undefined });
  });
});

it("makes up no scale where there is no number", () => {
  expect(prepare([measured(1, { kind: "empty" })]).ticks).toEqual([]);
  expect(prepare([measured(1, { kind: "empty" })], { thresholds: [threshold(0.95)] }).ticks).not.toEqual([]);
});
