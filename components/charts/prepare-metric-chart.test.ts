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

const counters = {
  count: 0,
  successful: 0,
  failed: 0,
  inconclusive: 0,
  error: 0,
  consecutiveError: 0,
  consecutiveSuccess: 0,
};
const limits = {
  ...{ count: null, interval: null, initialDelay: null, failureLimit: "0" },
  ...{ inconclusiveLimit: "0", consecutiveErrorLimit: "4", consecutiveSuccessLimit: "0" },
};

function prepare(
  measurements: Measurement[],
  metric: Partial<Parameters<typeof prepareMetricChart>[0]["metric"]> = {},
  isThinned = false,
) {
  return prepareMetricChart({
    metric: { phase: "Running", counters, limits, thresholds: [], gaps: [], unit: null, ...metric },
    measurements,
    isThinned,
    timeDomain,
  });
}

describe("the line", () => {
  const values = (measurements: Measurement[], metric = {}, isThinned = false) =>
    prepare(measurements, metric, isThinned).line.map(({ value }) => value);

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
    expect(values([measured(1, 1), measured(9, 2)], {}, true)).toEqual([1, 2]);
  });

  it("breaks at a gap even where the server left points out", () => {
    const gaps = [{ afterSeq: 5, count: 1 }];
    expect(values([measured(1, 1), measured(9, 2)], { gaps }, true)).toEqual([1, null, 2]);
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

  it("are in percent for a ratio, as the axis is, while values and lines stay as recorded", () => {
    const own = { thresholds: [threshold(0.95, { text: "0.950" })], unit: "ratio" };
    const { points, thresholds, ticks } = prepare([measured(1, 0.927), measured(2, 0.99)], own);
    expect(thresholds).toMatchObject([{ label: "pass ≥ 95 %", value: 0.95 }]);
    expect(ticks.map(({ text }) => text)).toEqual(["94", "96", "98"]);
    expect(ticks[0]?.value).toBeCloseTo(0.94);
    expect(points.map(({ value }) => value)).toEqual([0.927, 0.99]);
  });

  it("say where a threshold far beyond the data is", () => {
    const { thresholds, valueDomain } = prepare([measured(1, 1), measured(2, 2)], { thresholds: [threshold(1e6)] });
    expect(thresholds[0]).toMatchObject({ isOffScale: true, labelAt: valueDomain[1], band: undefined });
  });
});

it("makes up no scale where there is no number", () => {
  expect(prepare([measured(1, { kind: "empty" })]).ticks).toEqual([]);
  const limited = { thresholds: [threshold(0.95)] };
  expect(prepare([measured(1, { kind: "nan" }, { value: "NaN" })], limited).ticks).not.toEqual([]);
});

it.each([
  {
    name: "checks without values",
    measurements: [measured(1, { kind: "empty" }), measured(2, { kind: "empty" })],
    is: true,
  },
  { name: "one value among them", measurements: [measured(1, { kind: "empty" }), measured(2, 0.82)], is: false },
  { name: "a value that is no number", measurements: [measured(1, { kind: "nan" }, { value: "NaN" })], is: false },
  { name: "the first one under way", measurements: [measured(1, { kind: "empty" }, { finishedAt: null })], is: false },
  { name: "errors alone", measurements: [measured(1, { kind: "empty" }, { phase: "Error" })], is: false },
  { name: "nothing", measurements: [], is: false },
])("is a strip without limits only for checks without values: $name", ({ measurements, is }) => {
  const chart = prepare(measurements, { thresholds: [threshold(0.95)] });
  expect(chart.isStrip).toBe(is);
  expect(chart.thresholds).toHaveLength(is ? 0 : 1);
});

describe("measurements of one second", () => {
  const inSecond = (seq: number, second: string) => measured(seq, seq, { finishedAt: `2026-11-20T12:00:${second}Z` });
  const places = (list: Measurement[]) => prepare(list).points.map(({ atMs }) => atMs - start);

  it("are spread over it, in their order", () => {
    expect(places([inSecond(2, "05"), inSecond(1, "05"), inSecond(3, "06")])).toEqual([5_000, 5_500, 6_000]);
  });

  it("keep their place if they have fractions", () => {
    expect(places([inSecond(1, "05.250"), inSecond(2, "05.250")])).toEqual([5_250, 5_250]);
  });
});

describe("what is in view", () => {
  const list = [measured(1, 5), measured(2, 500), measured(3, 6)];
  const inView = (timeDomain: readonly [number, number]) =>
    prepareMetricChart({
      metric: { phase: "Running", counters, limits, thresholds: [], gaps: [], unit: null },
      measurements: list,
      timeDomain,
    });

  it("decides the value axis", () => {
    expect(inView([start, start + 90_000]).valueDomain[1]).toBeLessThan(10);
    expect(inView([start, start + 150_000]).valueDomain[1]).toBeGreaterThan(500);
  });

  it("may be nothing, and still has an axis of what there is", () => {
    expect(inView([start + 3_000_000, start + 3_001_000]).valueDomain[1]).toBeGreaterThan(500);
  });
});

describe("a logarithmic axis", () => {
  const list = [measured(1, 2), measured(2, 900)];
  const prepared = (measurements: Measurement[]) =>
    prepareMetricChart({
      metric: { phase: "Running", counters, limits, thresholds: [threshold(30)], gaps: [], unit: null },
      measurements,
      timeDomain,
      isLog: true,
    });

  it("is used if it is wanted and helps", () => {
    expect(prepared(list)).toMatchObject({ kind: "log", mayUseLog: true });
    expect(prepared(list).valueDomain[0]).toBeGreaterThan(0);
    expect(prepared([measured(1, 2), measured(2, 9)])).toMatchObject({ kind: "linear", mayUseLog: false });
  });

  it("keeps the line of a threshold where it is", () => {
    expect(prepared(list).thresholds[0]).toMatchObject({ value: 30, isOffScale: false });
    expect(prepared(list).thresholds[0]?.labelAt).toBeCloseTo(30, 9);
  });
});
