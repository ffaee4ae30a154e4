import type { Store } from "#sandbox/apiserver/store-types.ts";
import { findTemplateProblem } from "./analysis-templates.ts";
import { stepsOf } from "./canary-steps.ts";
import type { Rollout, RolloutAnalysis } from "./rollout-types.ts";

/** What makes the spec invalid, in the form of a field error; undefined where nothing does. */
export function validateRollout(store: Store, rollout: Rollout): string | undefined {
  const selector = Object.entries(rollout.spec.selector.matchLabels ?? {});
  const labels = rollout.spec.template.metadata?.labels ?? {};
  if (selector.some(([key, value]) => labels[key] !== value)) {
    return `The Rollout "${rollout.metadata.name}" is invalid: spec.template.metadata.labels: Invalid value: ${JSON.stringify(labels)}: \`selector\` does not match template \`labels\``;
  }
  const canary = rollout.spec.strategy.canary;
  const uses: { field: string; analysis: RolloutAnalysis | undefined }[] = [
    { field: "spec.strategy.canary.analysis.templates", analysis: canary?.analysis },
    ...stepsOf(rollout).map((step, index) => ({
      field: `spec.strategy.canary.steps[${index}].analysis.templates`,
      analysis: step.analysis,
    })),
  ];
  for (const { field, analysis } of uses) {
    const found = findTemplateProblem(store, rollout.metadata.namespace, analysis?.templates ?? []);
    if (found !== undefined) {
      return `The Rollout "${rollout.metadata.name}" is invalid: ${field}: Invalid value: "${found.template}": ${found.problem}`;
    }
  }
  return undefined;
}
