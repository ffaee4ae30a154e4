import { describe, expect, it } from "vitest";
import { prowComponents } from "#lib/domain/prow/components.ts";
import type { Component, SeriesSpec } from "./component.ts";
import { createSampleFolder, type FoldedScrape } from "./fold-samples.ts";
import { mergeTargets } from "./merge-targets.ts";
import { createExpositionReader } from "./read-exposition.ts";

const reconciler = prowComponents.find(({ name }) => name === "status-reconciler") as Component;

function fold(text: string): FoldedScrape {
  const folder = createSampleFolder(reconciler);
  const reader = createExpositionReader(folder.isWanted, folder.add);
  reader.push(`${text}\n`);
  expect(reader.end()).toBeUndefined();
  return folder.end();
}

const merge = (...texts: string[]) =>
  mergeTargets(
    reconciler,
    texts.map((text, index) => ({ target: `t${index}`, folded: fold(text) })),
  );
const valuesOf = ({ values }: FoldedScrape, key: string) =>
  values.filter(({ series }) => series === key).map(({ labels, value }) => `${labels} ${value}`.trim());

const loaded = (count: number, start?: number) =>
  `status_reconciler_loaded_presubmit_count ${count}${start === undefined ? "" : `\nprocess_start_time_seconds ${start}`}`;

describe("several processes", () => {
  const presubmits: { name: string; texts: string[]; is: string[] }[] = [
    { name: "one", texts: [loaded(1284, 100)], is: ["1284"] },
    { name: "an old one and a new one", texts: [loaded(1284, 100), loaded(1280, 200)], is: ["1280"] },
    { name: "a new one that has loaded nothing yet, first", texts: [loaded(0, 200), loaded(1284, 100)], is: ["0"] },
    { name: "one that does not say when it began", texts: [loaded(7), loaded(1284, 100)], is: ["1284"] },
  ];
  it.each(presubmits)("have the loaded presubmits of the newest, never the sum: $name", ({ texts, is }) => {
    expect(valuesOf(merge(...texts), "presubmits")).toEqual(is);
  });

  it("keep what they counted and when they began apart, and add up what they use", () => {
    const retired = (count: number) => `status_reconciler_contexts_retired_total{org="o",repo="r"} ${count}`;
    const folded = merge(
      `${loaded(9, 100)}\n${retired(5)}\nprocess_resident_memory_bytes 10`,
      `${loaded(9, 200)}\n${retired(3)}\nprocess_resident_memory_bytes 20`,
    );
    expect(valuesOf(folded, "contexts-retired")).toEqual(['{"target":"t0"} 5', '{"target":"t1"} 3']);
    expect(valuesOf(folded, "contexts-retired-by-repo")).toEqual([
      '{"org":"o","repo":"r","target":"t0"} 5',
      '{"org":"o","repo":"r","target":"t1"} 3',
    ]);
    expect(valuesOf(folded, "process-start")).toEqual(['{"target":"t0"} 100', '{"target":"t1"} 200']);
    expect(valuesOf(folded, "memory")).toEqual(["30"]);
  });

  it("have a series if one of them has it, and none of which one has too many labels", () => {
    const many = Array.from(
      { length: 400 },
      (_, index) => `status_reconciler_contexts_retired_total{repo="${index}"} 1`,
    );
    const few = 'status_reconciler_contexts_retired_total{repo="x"} 1';
    expect(merge(loaded(9, 100), `${loaded(9, 200)}\n${few}`).presence).toMatchObject({
      ...{ presubmits: "present", "contexts-retired": "present", "client-failures": "not-available" },
    });
    const folded = merge(`${loaded(9, 100)}\n${many.join("\n")}`, `${loaded(9, 200)}\n${few}`);
    expect(folded.presence["contexts-retired-by-repo"]).toBe("too-many");
    expect(valuesOf(folded, "contexts-retired-by-repo")).toEqual([]);
  });

  it("say a version only if they agree", () => {
    const built = (seconds: number) => `prow_version ${seconds}`;
    expect(merge(built(1_787_270_400), built(1_787_270_400)).version).toBe("v20260821");
    expect(merge(built(1_787_270_400), built(1_790_000_000)).version).toBeUndefined();
  });
});

it("no metric that is kept apart has the label of a process", () => {
  const labels = prowComponents.flatMap(({ series }) => series.flatMap(({ by = [] }: SeriesSpec) => by));
  expect(labels).not.toContain("target");
});
