import { describe, expect, it } from "vitest";
import type { Threshold } from "#lib/domain/delivery/explaining.ts";
import type { DeliveryState } from "#lib/domain/delivery/observation.ts";
import { everywhere } from "#lib/domain/policy/rights.ts";
import { measureMargin } from "./measure-margin.ts";
import { completePeriod, countRecordedDays, isRecorded, periodBefore } from "./period.ts";
import { deriveWaits, readCommitTime } from "./release-times.ts";
import { createFrozenCounter } from "./sum-frozen-times.ts";

describe("readCommitTime", () => {
  const startedAt = new Date("2026-03-10T12:00:00Z");
  it.each([
    { texts: ["2026-03-10T09:30:00Z", null], is: "2026-03-10T09:30:00.000Z" },
    { texts: [null, "2026-03-10T09:30:00+02:00"], is: "2026-03-10T07:30:00.000Z" },
    { texts: ["2026-03-10T12:00:00Z"], is: "2026-03-10T12:00:00.000Z" },
    // The pod template belongs to the version: the rollout's time does not replace its invalid one.
    { texts: ["yesterday", "2026-03-10T09:30:00Z"], is: undefined },
    { texts: ["2026-03-10"], is: undefined },
    { texts: ["1773135000"], is: undefined },
    { texts: ["2026-13-10T09:30:00Z"], is: undefined },
    { texts: ["2026-03-10T12:00:01Z"], is: undefined },
    { texts: [""], is: undefined },
    { texts: [null, null], is: undefined },
    { texts: [], is: undefined },
  ])("$texts: $is", ({ texts, is }) => {
    expect(readCommitTime(texts, startedAt)?.toISOString()).toBe(is);
  });
});

describe("measureMargin", () => {
  const limit = (value: number, accessor = "result[0]"): Threshold => ({
    ...{ condition: "success", accessor, operator: ">=", value, text: String(value), inclusive: true, region: "above" },
  });
  const of = (values: number[], thresholds: Threshold[]) => measureMargin(values, { thresholds, isComplete: true });

  it("is the distance from the nearest limit, on either side", () => {
    expect(of([0, 3, 8, 10], [limit(0), limit(10)])).toEqual({ median: 1, low: 0 });
    expect(of([5], [limit(5)])).toEqual({ median: 0, low: 0 });
  });

  it("is unknown without a limit, without a value, and for limits of something else than the value", () => {
    expect(of([1, 2], [])).toBeUndefined();
    expect(of([], [limit(1)])).toBeUndefined();
    expect(of([1], [limit(3, "len(result)")])).toBeUndefined();
    expect(of([1], [limit(3, "result[1]")])).toBeUndefined();
    expect(of([2], [limit(3, "float(result[0])")])).toEqual({ median: 1, low: 1 });
  });

  it("leaves out distances that PostgreSQL cannot store", () => {
    expect(of([1.7976931348623157e308, -1.7976931348623157e308, 3], [limit(0)])).toEqual({ median: 3, low: 3 });
    expect(of([Number.MAX_VALUE], [limit(-Number.MAX_VALUE)])).toBeUndefined();
  });
});

describe("deriveWaits", () => {
  const at = (minute: number) => `2026-03-10T12:${String(minute).padStart(2, "0")}:00.000Z`;
  const observe = (minute: number, state: Partial<DeliveryState>) => ({
    observedAt: at(minute),
    state: {
      ...{ phase: "Progressing", message: "", step: 1, stepCount: 2, stepText: "", weight: 50, waits: [], runs: [] },
      ...{ activity: "progressing" as const },
      ...state,
    } as DeliveryState,
  });
  const run = { title: "Step analysis", name: "app-1", phase: "Inconclusive", isHeld: true };

  it("lists the waits with the run that each is because of", () => {
    const waits = deriveWaits(
      [
        observe(0, {}),
        observe(5, { activity: "waiting", runs: [run] }),
        observe(9, { activity: "waiting", runs: [run], message: "still" }),
        observe(10, { activity: "held", runs: [run] }),
        observe(20, { activity: "waiting" }),
        observe(30, { activity: "progressing" }),
        observe(31, { activity: "waiting", runs: [{ ...run, isHeld: false }] }),
      ],
      Date.parse(at(40)),
    );
    expect(waits.map(({ fromMs, toMs, ...wait }) => [(toMs - fromMs) / 60_000, wait.activity, wait.run])).toEqual([
      [5, "waiting", "app-1"],
      [10, "held", null],
      [10, "waiting", null],
      [9, "waiting", null],
    ]);
  });

  it("has none of no time, and none without an observation", () => {
    expect(deriveWaits([observe(5, { activity: "waiting" })], Date.parse(at(5)))).toEqual([]);
    expect(deriveWaits([], Date.parse(at(5)))).toEqual([]);
  });
});

describe("a period", () => {
  const now = new Date("2026-03-31T00:00:00.000Z");

  it.each([
    { asked: {}, is: { from: "2026-03-01T00:00:00.000Z", to: now.toISOString() } },
    {
      asked: { from: "2026-03-30T00:00:00+01:00" },
      is: { from: "2026-03-29T23:00:00.000Z", to: now.toISOString() },
    },
    {
      asked: { to: "2026-02-01T00:00:00Z" },
      is: { from: "2026-01-02T00:00:00.000Z", to: "2026-02-01T00:00:00.000Z" },
    },
    { asked: { from: now.toISOString() }, is: undefined },
    { asked: { from: "2025-01-01T00:00:00Z" }, is: undefined },
  ])("$asked is $is", ({ asked, is }) => {
    expect(completePeriod(asked, now)).toEqual(is);
  });

  it("is followed by nothing of itself", () => {
    const period = { from: "2026-03-10T00:00:00.000Z", to: "2026-03-12T00:00:00.000Z" };
    expect(periodBefore(period)).toEqual({ from: "2026-03-08T00:00:00.000Z", to: period.from });
  });

  it("has as many days as were recorded", () => {
    const period = { from: "2026-03-10T00:00:00.000Z", to: "2026-03-12T00:00:00.000Z" };
    const days = (since: string, at = now) => countRecordedDays(period, new Date(since), at);
    expect(days("2020-01-01T00:00:00Z")).toBe(2);
    expect(days("2026-03-11T12:00:00Z")).toBe(0.5);
    expect(days("2026-03-20T00:00:00Z")).toBe(0);
    expect(days("2020-01-01T00:00:00Z", new Date("2026-03-11T00:00:00Z"))).toBe(1);
    expect(countRecordedDays(period, undefined, now)).toBe(0);
    expect(isRecorded(period, new Date("2026-03-10T00:00:00Z"))).toBe(true);
    expect(isRecorded(period, new Date("2026-03-10T00:00:01Z"))).toBe(false);
    expect(isRecorded(period, undefined)).toBe(false);
  });
});

describe("createFrozenCounter", () => {
  const day = (date: number, hour = 0) => Date.UTC(2026, 2, date, hour);
  const target = { cluster: "eu", namespace: "shop", kind: "Rollout", name: "web" };
  const window = {
    ...{ name: "nights", start: "0 20 * * *", timeZone: "UTC", durationMinutes: 10 * 60 },
    ...{ scope: everywhere, actions: ["*"], includeProtective: false },
  };
  const counter = (windows = [window]) => createFrozenCounter(windows, { fromMs: day(1), toMs: day(9) });
  const hours = (ms: number) => ms / 3_600_000;

  it("counts the time of a wait that lies in a freeze, once", () => {
    const other = { ...window, name: "late", start: "0 22 * * *", durationMinutes: 10 * 60 };
    const wait = { target, fromMs: day(2, 12), toMs: day(3, 12) };
    expect(hours(counter()(wait))).toBe(10);
    expect(hours(counter([window, other])(wait))).toBe(12);
    expect(hours(counter()({ target, fromMs: day(2, 8), toMs: day(2, 12) }))).toBe(0);
  });

  it("counts the time in which no release window was open, once with that of freezes", () => {
    const wait = { target, fromMs: day(2, 6), toMs: day(3, 6) };
    const mornings = { ...window, name: "mornings", start: "0 8 * * *", durationMinutes: 240, outside: true };
    const noon = { ...mornings, name: "noon", start: "0 11 * * *" };
    const elsewhere = { ...noon, name: "elsewhere", scope: { ...everywhere, namespaces: ["pay"] } };
    expect(hours(counter([mornings])(wait))).toBe(20);
    expect(hours(counter([mornings, noon, elsewhere])(wait))).toBe(17);
    expect(hours(counter([mornings, { ...noon, actions: ["abort"] }, window])(wait))).toBe(20);
    expect(hours(counter([elsewhere])(wait))).toBe(0);
  });

  it("leaves out windows of other rollouts and other actions", () => {
    const wait = { target, fromMs: day(2, 12), toMs: day(3, 12) };
    const elsewhere = { ...window, scope: { ...everywhere, namespaces: ["pay"] } };
    expect(counter([elsewhere])(wait)).toBe(0);
    expect(counter([{ ...window, actions: ["abort"] }])(wait)).toBe(0);
    expect(counter([])(wait)).toBe(0);
  });
});
