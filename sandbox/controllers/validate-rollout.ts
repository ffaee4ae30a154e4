import type { Store } from "#sandbox/apiserver/store-types.ts";
import { findTemplateProblem } from "./analysis-templates.ts";
import { maxTrafficWeight, stepsOf } from "./canary-steps.ts";
import type { Rollout, TemplateRef } from "./rollout-types.ts";
import { MANAGED_BY_ANNOTATION } from "./rollout-types.ts";

type Finding = { field: string; value: string; problem: string };

/** Returns the first error in the spec, in the form of a field error; undefined if it is valid. */
export function validateRollout(store: Store, rollout: Rollout): string | undefined {
  const found =
    findSelectorProblem(rollout) ??
    findWeightProblem(rollout) ??
    findServiceProblem(store, rollout) ??
    findAnalysisProblem(store, rollout);
  return found === undefined
    ? undefined
    : `The Rollout "${rollout.metadata.name}" is invalid: ${found.field}: Invalid value: ${found.value}: ${found.problem}`;
}

function findSelectorProblem({ spec }: Rollout): Finding | undefined {
  const labels = spec.template.metadata?.labels ?? {};
  const isMatching = Object.entries(spec.selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  const problem = "`selector` does not match template `labels`";
  return isMatching ? undefined : { field: "spec.template.metadata.labels", value: JSON.stringify(labels), problem };
}

/**
 * Finds a weight above the router's maximum (validation.go ValidateRolloutStrategyCanary of argo-rollouts at 1.10.2).
 */
function findWeightProblem(rollout: Rollout): Finding | undefined {
  const most = maxTrafficWeight(rollout);
  const index = stepsOf(rollout).findIndex(({ setWeight = 0 }) => setWeight < 0 || setWeight > most);
  if (index < 0) {
    return undefined;
  }
  const value = String(stepsOf(rollout)[index]?.setWeight);
  const problem = `SetWeight needs to be between 0 and ${most}`;
  return { field: `spec.strategy.steps[${index}].setWeight`, value, problem };
}

/**
 * Checks that Services exist and belong to no other Rollout (rollout/controller.go getReferencedService at 9f8d111).
 */
function findServiceProblem(store: Store, { spec, metadata }: Rollout): Finding | undefined {
  const { blueGreen, canary } = spec.strategy;
  if (blueGreen != null && blueGreen.activeService === blueGreen.previewService) {
    const problem = "the active and the preview service must be two different ones";
    return { field: "spec.strategy.blueGreen.activeService", value: JSON.stringify(blueGreen.activeService), problem };
  }
  const uses: [string, string | undefined][] = [
    ["spec.strategy.blueGreen.activeService", blueGreen?.activeService],
    ["spec.strategy.blueGreen.previewService", blueGreen?.previewService],
    ["spec.strategy.canary.stableService", canary?.stableService],
    ["spec.strategy.canary.canaryService", canary?.canaryService],
  ];
  for (const [field, name] of uses) {
    if (name === undefined || name === "") {
      continue;
    }
    const service = store.get("services", metadata.namespace, name);
    const manager = service?.metadata.annotations?.[MANAGED_BY_ANNOTATION] ?? metadata.name;
    const value = JSON.stringify(name);
    if (service === undefined) {
      return { field, value, problem: `service "${name}" not found` };
    }
    if (manager !== metadata.name) {
      return { field, value, problem: `Service "${name}" is managed by another Rollout` };
    }
  }
  return undefined;
}

function findAnalysisProblem(store: Store, rollout: Rollout): Finding | undefined {
  const { canary, blueGreen } = rollout.spec.strategy;
  const uses: [string, TemplateRef[] | undefined][] = [
    ["spec.strategy.canary.analysis.templates", canary?.analysis?.templates],
    ["spec.strategy.blueGreen.prePromotionAnalysis.templates", blueGreen?.prePromotionAnalysis?.templates],
    ["spec.strategy.blueGreen.postPromotionAnalysis.templates", blueGreen?.postPromotionAnalysis?.templates],
    ...stepsOf(rollout).map((step, index): [string, TemplateRef[] | undefined] => [
      `spec.strategy.canary.steps[${index}].analysis.templates`,
      step.analysis?.templates,
    ]),
  ];
  const { namespace } = rollout.metadata;
  for (const [index, [field, references = []]] of uses.entries()) {
    const found = findTemplateProblem(store, { namespace, references, isBackground: index === 0 });
    if (found !== undefined) {
      return { field, value: `"${found.template}"`, problem: found.problem };
    }
  }
  return undefined;
}
