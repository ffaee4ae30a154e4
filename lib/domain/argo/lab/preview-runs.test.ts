import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { readCase } from "#test/fixtures/cases/read-case.ts";
import { previewRuns } from "./preview-runs.ts";

const metric = {
  name: "rate",
  successCondition: "result[0] > {{args.min}}",
  provider: { prometheus: { query: "up" } },
};
const edited = { kind: "AnalysisTemplate", name: "rate", spec: { metrics: [metric], args: [{ name: "min" }] } };

function rolloutWith(strategy: unknown) {
  return { spec: { strategy }, status: { stableRS: "old", currentPodHash: "new" } };
}

const args = [{ name: "min", value: "0.9" }];
const analysis = { templates: [{ templateName: "rate" }], args };

describe("the runs that a rollout would create", () => {
  it("are those of each analysis that names the template, with the rollout's arguments", () => {
    const canary = { steps: [{ setWeight: 20 }, { analysis }], analysis: { templates: [{ templateName: "other" }] } };
    const other = { kind: "AnalysisTemplate", name: "other", spec: { metrics: [] } };
    expect(previewRuns({ rollout: rolloutWith({ canary }), edited, templates: [other] }).runs).toEqual([
      {
        where: "step 2",
        error: undefined,
        spec: { metrics: [metric], args: [{ name: "min", value: "0.9" }], dryRun: [], measurementRetention: [] },
      },
    ]);
  });

  it("include those that reach it through another template", () => {
    const blueGreen = { prePromotionAnalysis: { templates: [{ templateName: "all" }], args } };
    const all = { kind: "AnalysisTemplate", name: "all", spec: { templates: [{ templateName: "rate" }] } };
    const [run] = previewRuns({ rollout: rolloutWith({ blueGreen }), edited, templates: [all] }).runs;
    expect(run).toMatchObject({ where: "before promotion", spec: { metrics: [{ name: "rate" }] } });
  });

  it("replace the template as the cluster has it", () => {
    const old = { kind: "AnalysisTemplate", name: "rate", spec: { metrics: [{ ...metric, name: "old" }] } };
    const [run] = previewRuns({ rollout: rolloutWith({ canary: { analysis } }), edited, templates: [old] }).runs;
    expect(run).toMatchObject({ where: "background", spec: { metrics: [{ name: "rate" }] } });
  });

  it.each([
    ["an argument that nobody gives", { ...analysis, args: [] }, "args.min was not resolved"],
    [
      "a template that is missing",
      { ...analysis, templates: [...analysis.templates, { templateName: "gone" }] },
      'analysistemplate.argoproj.io "gone" not found',
    ],
  ])("say why the controller refuses: %s", (_, given, error) => {
    const rollout = rolloutWith({ canary: { analysis: given } });
    expect(previewRuns({ rollout, edited, templates: [] }).runs).toEqual([
      { where: "background", spec: undefined, error },
    ]);
  });

  it("take rules and metadata from the reference of the rollout", () => {
    const given = {
      ...analysis,
      dryRun: [{ metricName: "rate" }],
      measurementRetention: [{ metricName: ".*", limit: 5 }],
      analysisRunMetadata: { labels: { team: "a" } },
    };
    const [run] = previewRuns({ rollout: rolloutWith({ canary: { analysis: given } }), edited, templates: [] }).runs;
    expect(run).toMatchObject({
      spec: { dryRun: [{ metricName: "rate" }], measurementRetention: [{ metricName: ".*", limit: 5 }] },
      metadata: { labels: { team: "a" } },
    });
    const idle = { ...given, dryRun: [{ metricName: "none" }] };
    const [refused] = previewRuns({ rollout: rolloutWith({ canary: { analysis: idle } }), edited, templates: [] }).runs;
    expect(refused?.error).toBe("Analysis spec invalid: dryRun[0]: Rule didn't match any metric name(s)");
  });

  it("are none at a step that would never end: the rollout becomes invalid (argo-rollouts#3243)", () => {
    const { metadata, ...template } = parse(readCase("06-preview-endless-step/template.yaml"));
    const steps = parse(readCase("06-preview-endless-step/rollout-steps.yaml"));
    const preview = (canary: object) =>
      previewRuns({ rollout: rolloutWith({ canary }), edited: { ...template, name: metadata.name }, templates: [] })
        .runs;
    const text = "AnalysisTemplate endless has metric rate which runs indefinitely. Invalid value for count: 0";
    expect(preview(steps)).toEqual([{ where: "step 2", spec: undefined, error: `InvalidSpec: ${text}` }]);
    // The value that the rollout gives does not count.
    const endless = { templates: [{ templateName: "endless" }], args: [{ name: "count", value: "3" }] };
    expect(
      preview({ steps: [{ analysis: endless }], analysis: endless }).map(({ where, error }) => [where, error]),
    ).toEqual([
      ["background", undefined],
      ["step 1", `InvalidSpec: ${text}`],
    ]);
  });

  it("are none if a metric of a step has a tag that the template cannot resolve", () => {
    const foreign = { ...edited, spec: { ...edited.spec, metrics: [{ ...metric, interval: "{{ end }}" }] } };
    const canary = { steps: [{ analysis }] };
    const [run] = previewRuns({ rollout: rolloutWith({ canary }), edited: foreign, templates: [] }).runs;
    expect(run?.error).toBe("InvalidSpec: AnalysisTemplate rate: failed to resolve {{ end }}");
  });

  it("are none if the rollout does not name the template, or cannot be read", () => {
    expect(previewRuns({ rollout: rolloutWith({ canary: {} }), edited, templates: [] })).toEqual({ runs: [], more: 0 });
    expect(previewRuns({ rollout: null, edited, templates: [] })).toEqual({ runs: [], more: 0 });
  });

  it("name the places of equal runs together, and are composed once", () => {
    const steps = Array.from({ length: 800 }, () => ({ analysis }));
    const long = { ...edited, spec: { ...edited.spec, metrics: [{ ...metric, interval: "9".repeat(44_000) }] } };
    const { runs, more } = previewRuns({ rollout: rolloutWith({ canary: { steps } }), edited: long, templates: [] });
    expect(more).toBe(0);
    expect(runs.map(({ where }) => where)).toEqual([
      "step 1, step 2, step 3, step 4, step 5, step 6, step 7, step 8, step 9 and 791 more",
    ]);
  });

  it("are at most 50, of at most a million characters", () => {
    const steps = Array.from({ length: 800 }, (_, index) => ({
      analysis: { ...analysis, args: [{ name: "min", value: String(index) }] },
    }));
    const preview = (text: string) =>
      previewRuns({
        rollout: rolloutWith({ canary: { steps } }),
        edited: { ...edited, spec: { ...edited.spec, metrics: [{ ...metric, provider: { web: { url: text } } }] } },
        templates: [],
      });
    const short = preview("http://metrics");
    expect([short.runs.length, short.more]).toEqual([50, 750]);
    const long = preview("x".repeat(44_000));
    expect(JSON.stringify(long.runs).length).toBeLessThan(1_010_000);
    expect(long.runs.length + long.more).toBe(800);
  });
});
