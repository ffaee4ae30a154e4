import { describe, expect, it } from "vitest";
import { argoMeasuring, describeExperiment } from "./measuring.ts";
import { parseExperiment } from "./objects/experiment-object.ts";

describe("argoMeasuring", () => {
  type Given = { labels?: object; owner?: string; managedFields?: object[]; spec?: object; status?: object };

  function parseRun({ labels = {}, owner, managedFields = [], spec = {}, status }: Given) {
    const ownerReferences = owner === undefined ? [] : [{ kind: owner, name: "shop", uid: "u1", controller: true }];
    const metadata = { name: "run", namespace: "shop", uid: "r1", resourceVersion: "1", labels, managedFields };
    const object = { kind: "AnalysisRun", metadata: { ...metadata, ownerReferences }, spec: { metrics: [], ...spec } };
    const parsed = argoMeasuring.parseRun({ ...object, status });
    if (!parsed.ok) throw new Error(parsed.reason);
    return parsed.value;
  }

  const ends = (...finishedAt: string[]) => [
    { name: "rate", measurements: finishedAt.map((at) => ({ phase: "Successful", finishedAt: at })) },
  ];
  const startedAt = "2026-01-01T00:00:00Z";

  describe("a run of Argo's", () => {
    it.each([
      {
        name: "as the controller says",
        status: { completedAt: "2026-01-01T00:09:00Z" },
        expected: "2026-01-01T00:09:00Z",
      },
      {
        name: "with its last measurement, from a controller before 1.7",
        status: { metricResults: ends("2026-01-01T00:02:00Z", "2026-01-01T00:03:00Z", "no time") },
        expected: "2026-01-01T00:03:00Z",
      },
      { name: "at its start, without any measurement", status: {}, expected: startedAt },
      { name: "not yet", status: { phase: "Running", completedAt: "2026-01-01T00:09:00Z" }, expected: undefined },
    ])("ended $name", ({ status, expected }) => {
      expect(parseRun({ status: { phase: "Successful", startedAt, ...status } }).readCompletedAt()).toBe(expected);
    });

    it.each([
      { label: "3", expected: 3 },
      { label: "0", expected: 0 },
      { label: "three", expected: undefined },
      { label: undefined, expected: undefined },
    ])("is of step $expected for the label $label", ({ label, expected }) => {
      expect(parseRun({ labels: label === undefined ? {} : { "step-index": label } }).stepIndex).toBe(expected);
    });

    it("lists the metrics of its rules first, then those that only the results name", () => {
      const metrics = [{ name: "rate", provider: { prometheus: {} } }, { name: "late" }];
      const metricResults = [
        { name: "gone", phase: "Failed" },
        { name: "rate", phase: "Running", metadata: { ResolvedPrometheusQuery: "up" } },
      ];
      const listed = parseRun({ spec: { metrics }, status: { metricResults } }).listMetrics();
      expect(listed.map(({ result, ...metric }) => ({ ...metric, phase: result?.phase }))).toEqual([
        {
          name: "rate",
          metricProvider: "prometheus",
          query: "up",
          metadata: { ResolvedPrometheusQuery: "up" },
          phase: "Running",
        },
        { name: "late", metricProvider: undefined, query: undefined, phase: undefined },
        { name: "gone", metricProvider: undefined, query: undefined, phase: "Failed" },
      ]);
    });

    it("names its metrics as their results, also before there is any", () => {
      const spec = {
        args: [{ name: "metric", value: "rate" }],
        metrics: [{ name: "{{args.metric}}", provider: { web: {} } }, { name: "{{args.unknown}}" }],
      };
      const namesOf = (status?: object) =>
        parseRun({ spec, ...(status === undefined ? {} : { status }) })
          .listMetrics()
          .map(({ name, metricProvider }) => [name, metricProvider]);
      const expected = [
        ["rate", "web"],
        ["{{args.unknown}}", undefined],
      ];
      expect(namesOf()).toEqual(expected);
      expect(namesOf({ metricResults: [{ name: "rate", phase: "Running" }] })).toEqual(expected);
    });

    it("keeps its rules as received", () => {
      expect(parseRun({ spec: { unknown: null } }).rules).toEqual({ metrics: [], unknown: null });
    });

    const ended = (manager: string) => ({ manager, time: startedAt, fieldsV1: { "f:spec": { "f:terminate": {} } } });
    it.each([
      { name: "kubectl", manager: "kubectl-patch", expected: [{ manager: "kubectl-patch", at: startedAt }] },
      { name: "the controller", manager: "rollouts-controller", expected: undefined },
      { name: "a controller of the config", manager: "own-controller", expected: undefined },
    ])("was ended by $name", ({ manager, expected }) => {
      const run = parseRun({ spec: { terminate: true }, managedFields: [ended(manager)] });
      expect(run.isTerminated).toBe(true);
      expect(run.findEnders(["rollouts-controller", "own-controller"])).toEqual(expected);
    });
  });

  describe("rules of a run", () => {
    it("are read back from what was stored", () => {
      expect(argoMeasuring.readRules({ metrics: [{ name: "rate" }] })).toMatchObject({ metrics: [{ name: "rate" }] });
      expect(argoMeasuring.readRules({ metrics: "none" })).toBeUndefined();
    });
  });

  it.each([
    { name: "Kargo's Stage", given: { labels: { "kargo.akuity.io/stage": "uat" } }, owner: ["Stage", "uat"] },
    { name: "Numaplane's PipelineRollout", given: { owner: "PipelineRollout" }, owner: ["PipelineRollout", "shop"] },
    { name: "nothing", given: {}, owner: undefined },
  ])("names the creator of a run that no rollout owns: $name", ({ given, owner }) => {
    const run = parseRun(given);
    expect([run.type, run.owner && [run.owner.kind, run.owner.name]]).toEqual(["Manual", owner]);
  });
});

describe("describeExperiment", () => {
  function describeWith(args: { name: string; value?: string }[]) {
    const container = (image: string) => ({
      template: { spec: { containers: [{ name: "app", image }, { name: "none" }] } },
    });
    const parsed = parseExperiment({
      kind: "Experiment",
      metadata: { name: "e", uid: "u", resourceVersion: "1" },
      spec: {
        templates: [
          { name: "base", ...container("shop:1") },
          { name: "base-new", ...container("shop:2") },
          { name: "bare" },
        ],
        analyses: [{ name: "a", templateName: "slo", args }],
      },
    });
    if (!parsed.ok) throw new Error(parsed.reason);
    return describeExperiment(parsed.value);
  }

  it("tells the ReplicaSet of each template", () => {
    expect(describeWith([]).templates.map(({ replicaSet }) => replicaSet)).toEqual(["e-base", "e-base-new", "e-bare"]);
  });

  it("tells the images of each template", () => {
    expect(describeWith([]).templates.map(({ images }) => images)).toEqual([["shop:1"], ["shop:2"], []]);
  });

  it.each([
    { name: "one that it names", args: [{ name: "h", value: "{{templates.base.podTemplateHash}}" }], measures: "base" },
    {
      name: "one with spaces",
      args: [{ name: "h", value: "{{ templates.base-new.replicaset.name }}" }],
      measures: "base-new",
    },
    {
      name: "none of two",
      args: [
        { name: "a", value: "{{templates.base.podTemplateHash}}" },
        { name: "b", value: "{{templates.base-new.podTemplateHash}}" },
      ],
      measures: undefined,
    },
    {
      name: "none without a reference",
      args: [{ name: "service", value: "shop" }, { name: "x" }],
      measures: undefined,
    },
    {
      name: "none that is unknown",
      args: [{ name: "h", value: "{{templates.other.podTemplateHash}}" }],
      measures: undefined,
    },
  ])("an analysis measures $name", ({ args, measures }) => {
    expect(describeWith(args).analyses[0]?.measures).toBe(measures);
  });
});
