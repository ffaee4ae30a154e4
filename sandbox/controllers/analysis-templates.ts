import { effectiveCount } from "#lib/domain/argo/analysis/int-or-string.ts";
import {
  composeRun,
  expandTemplates,
  mergeTemplates,
  type NamedTemplate,
  type TemplateSpec,
} from "#lib/domain/argo/analysis/merge-templates.ts";
import type { AnalysisRunSpec, Argument, Outcome } from "#lib/domain/argo/analysis/types.ts";
import type { Store } from "#sandbox/apiserver/store-types.ts";
import type { RolloutAnalysis, TemplateRef } from "./rollout-types.ts";

type Known = { templates: NamedTemplate[]; clusterTemplates: NamedTemplate[] };
type Loaded = { templates: TemplateSpec[]; clusterTemplates: TemplateSpec[] };

/**
 * Returns upstream's message about a reference that cannot be resolved; undefined if all templates exist and agree.
 * Only a background analysis may measure without end (validation_references.go ValidateAnalysisTemplateWithType).
 */
export function findTemplateProblem(
  store: Store,
  analysis: { namespace: string | undefined; references: TemplateRef[]; isBackground: boolean },
): { template: string; problem: string } | undefined {
  const { namespace, references, isBackground } = analysis;
  const known = findTemplates(store, namespace, references);
  if ("missing" in known) {
    const { templateName, clusterScope } = known.missing;
    const kind = clusterScope === true ? "ClusterAnalysisTemplate" : "AnalysisTemplate";
    return { template: templateName, problem: `${kind} '${templateName}' not found` };
  }
  const template = references.map(({ templateName }) => templateName).join(", ");
  const found = orderTemplates(references, known);
  const merged = "error" in found ? found : mergeTemplates(found.value.templates, found.value.clusterTemplates);
  if ("error" in merged) {
    return { template, problem: merged.error };
  }
  return isBackground ? undefined : findEndlessMetric([...known.templates, ...known.clusterTemplates]);
}

function findEndlessMetric(templates: NamedTemplate[]): { template: string; problem: string } | undefined {
  for (const { name, spec } of templates) {
    const metric = spec.metrics?.find((candidate) => effectiveCount(candidate) === undefined);
    if (metric !== undefined) {
      const count = `Invalid value for count: ${metric.count ?? "<nil>"}`;
      return {
        template: name,
        problem: `AnalysisTemplate ${name} has metric ${metric.name} which runs indefinitely. ${count}`,
      };
    }
  }
  return undefined;
}

/** Composes the spec of the run that an analysis starts, with the engine's template code; or returns why it cannot. */
export function composeRunSpec(options: {
  store: Store;
  namespace: string | undefined;
  analysis: Pick<RolloutAnalysis, "templates" | "dryRun" | "measurementRetention">;
  args: readonly Argument[];
}): Outcome<AnalysisRunSpec> {
  const { store, namespace, analysis, args } = options;
  const references = analysis.templates ?? [];
  const known = findTemplates(store, namespace, references);
  if ("missing" in known) {
    return { error: `the template ${known.missing.templateName} is missing` };
  }
  const loaded = orderTemplates(references, known);
  if ("error" in loaded) {
    return loaded;
  }
  const { dryRun, measurementRetention } = analysis;
  const composed = composeRun({ ...loaded.value, args, dryRun, measurementRetention });
  return "error" in composed ? composed : { value: withoutEmptyLists(composed.value) };
}

function withoutEmptyLists({ metrics, args = [], dryRun = [], measurementRetention = [] }: AnalysisRunSpec) {
  return {
    metrics,
    ...(args.length > 0 ? { args } : {}),
    ...(dryRun.length > 0 ? { dryRun } : {}),
    ...(measurementRetention.length > 0 ? { measurementRetention } : {}),
  };
}

/** Returns the templates in the order in which upstream merges them. */
function orderTemplates(references: TemplateRef[], known: Known): Outcome<Loaded> {
  const found = expandTemplates(references, known);
  if ("error" in found) {
    return found;
  }
  const specs = (templates: readonly NamedTemplate[]) => templates.map(({ spec }) => spec);
  return { value: { templates: specs(found.value.templates), clusterTemplates: specs(found.value.clusterTemplates) } };
}

/** Returns every template that references lead to, nested ones included; or the first reference that leads nowhere. */
function findTemplates(
  store: Store,
  namespace: string | undefined,
  references: TemplateRef[],
): Known | { missing: TemplateRef } {
  const templates = new Map<string, NamedTemplate>();
  const clusterTemplates = new Map<string, NamedTemplate>();
  const open = [...references];
  for (let reference = open.shift(); reference !== undefined; reference = open.shift()) {
    const { templateName: name, clusterScope = false } = reference;
    const found = clusterScope
      ? store.get("clusteranalysistemplates", undefined, name)
      : store.get("analysistemplates", namespace, name);
    if (found === undefined) {
      return { missing: reference };
    }
    const pool = clusterScope ? clusterTemplates : templates;
    if (!pool.has(name)) {
      const spec = (found.spec ?? {}) as TemplateSpec;
      pool.set(name, { name, spec });
      open.push(...(spec.templates ?? []));
    }
  }
  return { templates: [...templates.values()], clusterTemplates: [...clusterTemplates.values()] };
}
