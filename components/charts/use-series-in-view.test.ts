import { describe, expect, it } from "vitest";
import { mergePart, partInView } from "#components/charts/use-series-in-view.ts";
import type { Measurement } from "#lib/contract/analysis-run.ts";

const start = Date.parse("2026-11-20T12:00:00Z");
const at = (seconds: number) => new Date(start + seconds * 1000).toISOString();
const take = (seq: number, { metric = "m", value = "whole", isRunning = false } = {}) =>
  ({ metric, seq, value, startedAt: at(seq), finishedAt: isRunning ? null : at(seq) }) as Measurement;
const wordsOf = (items: readonly Measurement[]) =>
  items.map(({ metric, seq, value }) => `${metric}${seq} ${value}`).sort();

describe("mergePart", () => {
  const part = { from: at(10), to: at(20) };
  const own = [10, 11, 12, 20].map((seq) => take(seq, { value: "part" }));

  it.each([
    { name: "takes the place of what lies in it, ends included", whole: [take(10), take(20)], kept: [] },
    { name: "leaves what lies outside", whole: [take(9), take(21)], kept: ["m21 whole", "m9 whole"] },
    { name: "leaves what is newer than the part", whole: [{ ...take(30), finishedAt: at(19) }], kept: ["m30 whole"] },
    { name: "takes the place of what still ran", whole: [take(12, { isRunning: true })], kept: [] },
    { name: "leaves a metric that it does not have", whole: [take(15, { metric: "n" })], kept: ["n15 whole"] },
  ])("$name", ({ whole, kept }) => {
    expect(wordsOf(mergePart(whole, part, own))).toEqual([...kept, ...wordsOf(own)].sort());
  });
});

describe("partInView", () => {
  it("has whole seconds with one more at each end, since measurements of a second are spread over it", () => {
    expect(partInView([start + 2_400, start + 9_600])).toEqual({ from: at(1), to: at(11) });
  });
});
