import { describe, expect, it } from "vitest";
import { collectTemplateRefs } from "./template-object.ts";

const named = (templateName: string, clusterScope?: boolean) => ({
  templateName,
  ...(clusterScope === undefined ? {} : { clusterScope }),
});

describe("collectTemplateRefs", () => {
  it.each([
    { name: "nothing", spec: undefined, refs: [] },
    { name: "a strategy without analysis", spec: { strategy: { canary: { steps: [{ pause: {} }] } } }, refs: [] },
    {
      name: "background, step and experiment analyses of a canary, each once",
      spec: {
        strategy: {
          canary: {
            analysis: { templates: [named("background"), named("shared", true)] },
            steps: [
              { analysis: { templates: [named("step"), named("shared", true)] } },
              { experiment: { templates: [{ name: "a", specRef: "canary" }], analyses: [named("experiment")] } },
            ],
          },
        },
      },
      refs: [
        "AnalysisTemplate/background",
        "AnalysisTemplate/experiment",
        "AnalysisTemplate/step",
        "ClusterAnalysisTemplate/shared",
      ],
    },
    {
      name: "both analyses of a blue-green",
      spec: {
        strategy: {
          blueGreen: {
            prePromotionAnalysis: { templates: [named("before")] },
            postPromotionAnalysis: { templates: [named("after", false)] },
          },
        },
      },
      refs: ["AnalysisTemplate/after", "AnalysisTemplate/before"],
    },
    {
      name: "a template made of others, and an Experiment",
      spec: { templates: [named("part")], analyses: [named("check")] },
      refs: ["AnalysisTemplate/check", "AnalysisTemplate/part"],
    },
    {
      name: "what a pod template says is none",
      spec: { template: { spec: named("pod") }, templates: [{ name: "a", template: named("pod") }] },
      refs: [],
    },
  ])("finds $name", ({ spec, refs }) => {
    expect(collectTemplateRefs(spec)).toEqual(refs);
  });
});
