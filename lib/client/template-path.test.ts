import { describe, expect, it } from "vitest";
import { resolveTemplateRef, shortTemplateName, templateApiPath, templateHref } from "#lib/client/template-path.ts";

describe("templateHref", () => {
  it("keeps the four segments and escapes what is in them", () => {
    expect(templateHref("prod/pay ments/AnalysisTemplate/slo")).toBe(
      "/templates/prod/pay%20ments/AnalysisTemplate/slo",
    );
    expect(templateHref("prod/-/ClusterAnalysisTemplate/slo", 3)).toBe(
      "/templates/prod/-/ClusterAnalysisTemplate/slo?version=3",
    );
    expect(templateApiPath("p/-/ClusterAnalysisTemplate/x")).toBe("/api/v1/templates/p/-/ClusterAnalysisTemplate/x");
  });
});

describe("resolveTemplateRef", () => {
  it.each([
    { ref: "AnalysisTemplate/slo", namespace: "pay", id: "prod/pay/AnalysisTemplate/slo" },
    { ref: "ClusterAnalysisTemplate/slo", namespace: "pay", id: "prod/-/ClusterAnalysisTemplate/slo" },
    { ref: "ClusterAnalysisTemplate/slo", namespace: null, id: "prod/-/ClusterAnalysisTemplate/slo" },
  ])("$ref seen from $namespace", ({ ref, namespace, id }) => {
    expect(resolveTemplateRef(ref, { cluster: "prod", namespace })).toBe(id);
  });
});

it("names a template without its cluster", () => {
  expect(shortTemplateName("prod/pay/AnalysisTemplate/slo")).toBe("pay/slo");
  expect(shortTemplateName("prod/-/ClusterAnalysisTemplate/slo")).toBe("slo");
  expect(shortTemplateName("odd")).toBe("odd");
});
