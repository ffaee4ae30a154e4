import { composeRun } from "#lib/domain/argo/analysis/compose-run.ts";
import {
  expandTemplates,
  mergeTemplates,
  type NamedTemplate,
  type TemplateSpec,
} from "#lib/domain/argo/analysis/merge-templates.ts";
import type { Outcome } from "#lib/domain/argo/analysis/outcome.ts";
import { buildRolloutArgs } from "#lib/domain/argo/analysis/rollout-args.ts";
import type { AnalysisRunSpec } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import type { Rollout, RolloutAnalysis, TemplateRef } from "./rollout-types.ts";

type Loaded = { templates: TemplateSpec[]; clusterTemplates: TemplateSpec[] };

/** What a reference leads to that is not there, in upstream's words; undefined where all templates are and agree. */
export function findTemplateProblem(
  store: Store,
  namespace: string | undefined,
  references: TemplateRef[],
): { template: string; problem: string } | undefined {
  const missing = findMissing(store, namespace, references);
  if (missing !== undefined) {
    const { templateName, clusterScope } = missing;
    const kind = clusterScope === true ? "ClusterAnalysisTemplate" : "AnalysisTemplate";
    return { template: templateName, problem: `${kind} '${templateName}' not found` };
  }
  const template = references.map(({ templateName }) => templateName).join(", ");
  const loaded = loadTemplates(store, namespace, references);
  const merged = "error" in loaded ? loaded : mergeTemplates(loaded.value.templates, loaded.value.clusterTemplates);
  return "error" in merged ? { template, problem: merged.error } : undefined;
}

/** The spec of the run that an analysis starts, made by the engine's template code; or why it cannot be made. */
export function composeRunSpec(options: {
  store: Store;
  analysis: RolloutAnalysis;
  rollout: Rollout;
  hashes: { latest: string; stable: string };
}): Outcome<AnalysisRunSpec> {
  const { store, analysis, rollout, hashes } = options;
  const loaded = loadTemplates(store, rollout.metadata.namespace, analysis.templates ?? []);
  if ("error" in loaded) {
    return loaded;
  }
  const args = buildRolloutArgs({
    args: analysis.args ?? [],
    rollout,
    stablePodHash: hashes.stable,
    latestPodHash: hashes.latest,
  });
  if ("error" in args) {
    return args;
  }
  const { dryRun, measurementRetention } = analysis;
  return composeRun({ ...loaded.value, args: args.value, dryRun, measurementRetention });
}

function loadTemplates(store: Store, namespace: string | undefined, references: TemplateRef[]): Outcome<Loaded> {
  const found = expandTemplates(references, {
    templates: store.list("analysistemplates", namespace).map(nameTemplate),
    clusterTemplates: store.list("clusteranalysistemplates").map(nameTemplate),
  });
  if ("error" in found) {
    return found;
  }
  const specs = (templates: readonly NamedTemplate[]) => templates.map(({ spec }) => spec);
  return { value: { templates: specs(found.value.templates), clusterTemplates: specs(found.value.clusterTemplates) } };
}

function nameTemplate({ metadata, spec }: KubeObject): NamedTemplate {
  return { name: metadata.name, spec: (spec ?? {}) as TemplateSpec };
}

/** Follows references, nested ones included, to the first that leads nowhere. */
function findMissing(store: Store, namespace: string | undefined, references: TemplateRef[]): TemplateRef | undefined {
  const seen = new Set<string>();
  const open = [...references];
  for (let reference = open.shift(); reference !== undefined; reference = open.shift()) {
    const isCluster = reference.clusterScope === true;
    const found = isCluster
      ? store.get("clusteranalysistemplates", undefined, reference.templateName)
      : store.get("analysistemplates", namespace, reference.templateName);
    if (found === undefined) {
      return reference;
    }
    const key = `${isCluster}/${reference.templateName}`;
    if (!seen.has(key)) {
      seen.add(key);
      open.push(...((found.spec as { templates?: TemplateRef[] } | undefined)?.templates ?? []));
    }
  }
  return undefined;
}
