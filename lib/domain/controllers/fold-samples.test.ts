import { describe, expect, it } from "vitest";
import { argoHealth } from "#lib/domain/argo/health.ts";
import { prowComponents } from "#lib/domain/prow/components.ts";
import type { Component, SeriesSpec } from "./component.ts";
import { createSampleFolder, type FoldedScrape, mergeTargets, readLabels, writeLabels } from "./fold-samples.ts";
import { createExpositionReader } from "./read-exposition.ts";

describe("createSampleFolder", () => {
  function fold(component: Component, text: string): FoldedScrape {
    const folder = createSampleFolder(component);
    const reader = createExpositionReader(folder.isWanted, folder.add);
    reader.push(text);
    expect(reader.end()).toBeUndefined();
    return folder.end();
  }

  function prow(name: string): Component {
    const found = prowComponents.find((component) => component.name === name);
    if (found === undefined) throw new Error(`no component ${name}`);
    return found;
  }

  const valuesOf = ({ values }: FoldedScrape, series: string) =>
    Object.fromEntries(values.filter((each) => each.series === series).map(({ labels, value }) => [labels, value]));

  const info = 'argo_rollouts_controller_info{version="v1.8.3+49fa151"} 1\n';

  describe("folding", () => {
    it("adds up objects and metrics, and keeps the labels that matter", () => {
      const folded = fold(
        argoHealth,
        `${info}rollout_reconcile_error{namespace="a",name="x"} 2
rollout_reconcile_error{namespace="a",name="y"} 3
analysis_run_reconcile_error{namespace="a",name="z"} 4
workqueue_depth{name="Rollouts"} 7
workqueue_depth{name="AnalysisRuns"} 1
`,
      );
      expect(valuesOf(folded, "reconcile-errors")).toEqual({ "": 9 });
      expect(valuesOf(folded, "queue-depth")).toEqual({ '{"name":"Rollouts"}': 7, '{"name":"AnalysisRuns"}': 1 });
      expect(folded.version).toBe("v1.8.3+49fa151");
    });

    it("keeps the buckets of histograms, their sum and their count", () => {
      const folded = fold(
        argoHealth,
        `rollout_reconcile_bucket{namespace="a",name="x",le="0.01"} 5
rollout_reconcile_bucket{namespace="a",name="x",le="+Inf"} 6
rollout_reconcile_sum{namespace="a",name="x"} 1.5
rollout_reconcile_count{namespace="a",name="x"} 6
rollout_reconcile_bucket{namespace="a",name="y",le="0.01"} 1
`,
      );
      expect(valuesOf(folded, "reconcile")).toEqual({
        ...{ '{"le":"0.01"}': 6, '{"le":"+Inf"}': 6 },
        ...{ '{"of":"sum"}': 1.5, '{"of":"count"}': 6 },
      });
    });

    const presences: { name: string; text: string; key: string; is: string }[] = [
      { name: "a counter without events", text: info, key: "reconcile-errors", is: "none-yet" },
      { name: "a counter of another program", text: "up 1\n", key: "reconcile-errors", is: "not-available" },
      { name: "a gauge that is not exposed", text: info, key: "queue-depth", is: "not-available" },
      {
        name: "a counter that has counted other things",
        text: 'controller_clientset_k8s_request_total{status_code="200"} 4\n',
        ...{ key: "api-errors", is: "none-yet" },
      },
      {
        name: "a counter with a value",
        text: 'controller_clientset_k8s_request_total{status_code="500"} 4\n',
        ...{ key: "api-errors", is: "present" },
      },
    ];
    it.each(presences)("calls $name $is, never 0", ({ text, key, is }) => {
      const folded = fold(argoHealth, text);
      expect(folded.presence[key]).toBe(is);
      expect(folded.values.some(({ series }) => series === key)).toBe(is === "present");
    });

    it("tells a status-reconciler that retired nothing from one that cannot count", () => {
      const reconciler = prow("status-reconciler");
      const key = "contexts-retired";
      expect(fold(reconciler, "status_reconciler_loaded_presubmit_count 900\n").presence[key]).toBe("none-yet");
      expect(fold(reconciler, "prow_version 1.7e9\n").presence).toMatchObject({
        ...{ [key]: "not-available", presubmits: "not-available" },
      });
    });

    it("keeps the total of a counter that has too many labels", () => {
      const lines = Array.from(
        { length: 400 },
        (_, index) => `status_reconciler_contexts_retired_total{org="o",repo="r${index}"} 2\n`,
      );
      const folded = fold(prow("status-reconciler"), lines.join(""));
      expect(folded.presence).toMatchObject({ "contexts-retired": "present", "contexts-retired-by-repo": "too-many" });
      expect(valuesOf(folded, "contexts-retired")).toEqual({ "": 800 });
      expect(valuesOf(folded, "contexts-retired-by-repo")).toEqual({});
    });

    it("says no version if replicas disagree", () => {
      expect(fold(argoHealth, `${info}argo_rollouts_controller_info{version="v1.9.0"} 1\n`).version).toBeUndefined();
    });

    it.each([
      { value: "1.7872704e+09", version: "v20260821" },
      { value: "-1", version: undefined },
    ])("reads the version of Prow from its time: $value", ({ value, version }) => {
      expect(fold(prow("tide"), `prow_version ${value}\n`).version).toBe(version);
    });

    it("takes the newest start of several replicas", () => {
      const folded = fold(argoHealth, "process_start_time_seconds 100\nprocess_start_time_seconds 200\n");
      expect(valuesOf(folded, "process-start")).toEqual({ "": 200 });
    });
  });

  it.each<{ labels: Record<string, string> }>([{ labels: {} }, { labels: { repo: 'a"b', org: "c,d=" } }])(
    "labels can be read back: $labels",
    ({ labels }) => {
      expect(readLabels(writeLabels(labels))).toEqual(labels);
    },
  );
});

describe("mergeTargets", () => {
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
});
