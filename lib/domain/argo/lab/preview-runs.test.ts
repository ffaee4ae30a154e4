import { describe, expect, it } from "vitest";
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
    expect(previewRuns({ rollout: rolloutWith({ canary }), edited, templates: [other] })).toEqual([
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
    const [run] = previewRuns({ rollout: rolloutWith({ blueGreen }), edited, templates: [all] });
    expect(run).toMatchObject({ where: "before promotion", spec: { metrics: [{ name: "rate" }] } });
  });

  it("replace the template as the cluster has it", () => {
    const old = { kind: "AnalysisTemplate", name: "rate", spec: { metrics: [{ ...metric, name: "old" }] } };
    const [run] = previewRuns({ rollout: rolloutWith({ canary: { analysis } }), edited, templates: [old] });
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
    expect(previewRuns({ rollout, edited, templates: [] })).toEqual([{ where: "background", spec: undefined, error }]);
  });

  it("are none if the rollout does not name the template, or cannot be read", () => {
    expect(previewRuns({ rollout: rolloutWith({ canary: {} }), edited, templates: [] })).toEqual([]);
    expect(previewRuns({ rollout: null, edited, templates: [] })).toEqual([]);
  });
});
