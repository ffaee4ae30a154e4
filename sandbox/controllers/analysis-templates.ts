import type { Argument, MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import type { Rollout, RolloutAnalysis, RolloutArgument, TemplateRef } from "./rollout-types.ts";

export type TemplateSpec = { metrics?: MetricSpec[]; args?: Argument[]; templates?: TemplateRef[] };

/** The specs that the references name, nested ones included, each once; or the name of one that is missing. */
export function loadTemplates(
  store: Store,
  namespace: string | undefined,
  references: TemplateRef[],
): { specs: TemplateSpec[] } | { missing: TemplateRef } {
  const specs = new Map<string, TemplateSpec>();
  const open = [...references];
  for (let reference = open.shift(); reference !== undefined; reference = open.shift()) {
    const found = findTemplate(store, namespace, reference);
    if (found === undefined) {
      return { missing: reference };
    }
    const key = `${found.kind}/${found.metadata.name}`;
    if (!specs.has(key)) {
      const spec = (found.spec ?? {}) as TemplateSpec;
      specs.set(key, spec);
      open.push(...(spec.templates ?? []));
    }
  }
  return { specs: [...specs.values()] };
}

function findTemplate(store: Store, namespace: string | undefined, reference: TemplateRef): KubeObject | undefined {
  return reference.clusterScope === true
    ? store.get("clusteranalysistemplates", undefined, reference.templateName)
    : store.get("analysistemplates", namespace, reference.templateName);
}

/** The run's arguments: those that a template declares, with the caller's value where it gives one. */
export function mergeArguments(options: {
  specs: TemplateSpec[];
  analysis: RolloutAnalysis;
  rollout: Rollout;
  hashes: { latest: string; stable: string };
}): Argument[] {
  const merged = new Map<string, Argument>();
  for (const declared of options.specs.flatMap((spec) => spec.args ?? [])) {
    const known = merged.get(declared.name);
    merged.set(declared.name, known?.value === undefined && known?.valueFrom === undefined ? declared : known);
  }
  for (const given of options.analysis.args ?? []) {
    const value = resolveValue(given, options);
    if (merged.has(given.name) && value !== undefined) {
      merged.set(given.name, { name: given.name, value });
    }
  }
  return [...merged.values()];
}

function resolveValue(
  argument: RolloutArgument,
  { rollout, hashes }: { rollout: Rollout; hashes: { latest: string; stable: string } },
): string | undefined {
  const { value, valueFrom } = argument;
  if (valueFrom?.podTemplateHashValue !== undefined) {
    return valueFrom.podTemplateHashValue === "Latest" ? hashes.latest : hashes.stable;
  }
  const path = valueFrom?.fieldRef?.fieldPath;
  if (path === undefined) {
    return value;
  }
  const label = /^metadata\.(labels|annotations)\['([^']+)'\]$/.exec(path);
  if (label !== null) {
    return rollout.metadata[label[1] === "labels" ? "labels" : "annotations"]?.[label[2] ?? ""];
  }
  return path === "metadata.name" ? rollout.metadata.name : rollout.metadata.namespace;
}
