import type { AnalysisRunSpec, Argument, DryRunRule, MeasurementRetentionRule, MetricSpec, Outcome } from "./types.ts";

export type TemplateRef = { readonly templateName: string; readonly clusterScope?: boolean };

/** `spec` of an AnalysisTemplate or ClusterAnalysisTemplate. */
export type TemplateSpec = {
  readonly metrics?: readonly MetricSpec[];
  readonly args?: readonly Argument[];
  readonly dryRun?: readonly DryRunRule[];
  readonly measurementRetention?: readonly MeasurementRetentionRule[];
  readonly templates?: readonly TemplateRef[];
};

export type NamedTemplate = { readonly name: string; readonly spec: TemplateSpec };

/** The parts of several templates put together. */
export type MergedTemplate = {
  readonly metrics: readonly MetricSpec[];
  readonly args: readonly Argument[];
  readonly dryRun: readonly DryRunRule[];
  readonly measurementRetention: readonly MeasurementRetentionRule[];
};

/**
 * Merges templates in the order given, cluster templates last. Metrics and rules of the same name clash, and so do
 * arguments with two different values; the error is upstream's.
 * Mirrors argo-rollouts utils/analysis/helpers.go `FlattenTemplates`.
 */
export function mergeTemplates(
  templates: readonly TemplateSpec[],
  clusterTemplates: readonly TemplateSpec[] = [],
): Outcome<MergedTemplate> {
  const all = [...templates, ...clusterTemplates];
  const metrics = all.flatMap((template) => template.metrics ?? []);
  const dryRun = all.flatMap((template) => template.dryRun ?? []);
  const measurementRetention = all.flatMap((template) => template.measurementRetention ?? []);
  const clash =
    firstClash(metrics, ({ name }) => name, "two metrics have") ??
    dryRunClash(dryRun) ??
    retentionClash(measurementRetention);
  if (clash !== undefined) return { error: clash };
  const args = mergeTemplateArgs(all.flatMap((template) => template.args ?? []));
  return "error" in args ? args : { value: { metrics, args: args.value, dryRun, measurementRetention } };
}

/** Returns the first template of each name (utils/analysis/helpers.go `FilterUniqueTemplates`). */
export function uniqueTemplates<T extends { readonly name: string }>(templates: readonly T[]): readonly T[] {
  const seen = new Set<string>();
  return templates.filter(({ name }) => {
    const isNew = !seen.has(name);
    seen.add(name);
    return isNew;
  });
}

type Found = { readonly templates: readonly NamedTemplate[]; readonly clusterTemplates: readonly NamedTemplate[] };

/**
 * Returns every template that references lead to, each once; nested ones follow the template that names them. A missing
 * template and a cycle of references are errors (rollout/analysis.go `getAnalysisTemplatesFromRefs`, which does not
 * check for cycles).
 */
export function expandTemplates(
  refs: readonly TemplateRef[],
  known: { readonly templates: readonly NamedTemplate[]; readonly clusterTemplates?: readonly NamedTemplate[] },
): Outcome<Found> {
  const found = collect(refs, known, { path: [], done: new Set() });
  if ("error" in found) return found;
  return {
    value: {
      templates: uniqueTemplates(found.value.templates),
      clusterTemplates: uniqueTemplates(found.value.clusterTemplates),
    },
  };
}

function collect(
  refs: readonly TemplateRef[],
  known: Parameters<typeof expandTemplates>[1],
  { path, done }: { readonly path: readonly string[]; readonly done: Set<string> },
): Outcome<Found> {
  const templates: NamedTemplate[] = [];
  const clusterTemplates: NamedTemplate[] = [];
  for (const { templateName, clusterScope } of refs) {
    const kind = clusterScope === true ? "clusteranalysistemplate" : "analysistemplate";
    const key = `${kind} "${templateName}"`;
    if (path.includes(key)) return { error: `${key} refers to itself: ${[...path, key].join(" -> ")}` };
    const pool = clusterScope === true ? (known.clusterTemplates ?? []) : known.templates;
    const template = pool.find(({ name }) => name === templateName);
    if (template === undefined) return { error: `${kind}.argoproj.io "${templateName}" not found` };
    (clusterScope === true ? clusterTemplates : templates).push(template);
    // A template that was already followed adds nothing; following it again could double the work at each level.
    if (done.has(key)) continue;
    const nested = collect(template.spec.templates ?? [], known, { path: [...path, key], done });
    if ("error" in nested) return nested;
    done.add(key);
    templates.push(...nested.value.templates);
    clusterTemplates.push(...nested.value.clusterTemplates);
  }
  return { value: { templates, clusterTemplates } };
}

function firstClash<T>(items: readonly T[], nameOf: (item: T) => string, what: string): string | undefined {
  const seen = new Set<string>();
  for (const item of items) {
    const name = nameOf(item);
    if (seen.has(name)) return `${what} the same name '${name}'`;
    seen.add(name);
  }
  return undefined;
}

export function dryRunClash(rules: readonly DryRunRule[]): string | undefined {
  return firstClash(rules, ({ metricName }) => metricName, "two Dry-Run metric rules have");
}

export function retentionClash(rules: readonly MeasurementRetentionRule[]): string | undefined {
  return firstClash(rules, ({ metricName }) => metricName, "two Measurement Retention metric rules have");
}

/** Merges arguments: a declaration with a value wins over one without. */
function mergeTemplateArgs(args: readonly Argument[]): Outcome<readonly Argument[]> {
  const merged = new Map<string, Argument>();
  for (const arg of args) {
    const before = merged.get(arg.name);
    if (before?.value !== undefined && arg.value !== undefined && before.value !== arg.value) {
      const values = `'${before.value}', '${arg.value}'`;
      return { error: `Argument \`${arg.name}\` specified multiple times with different values: ${values}` };
    }
    if (before?.value === undefined) merged.set(arg.name, arg);
  }
  return { value: [...merged.values()] };
}

/**
 * Returns the arguments of a run: those that the templates declare, overridden by the caller's values. Arguments that
 * no template declares are dropped; an argument that stays without a value is an error.
 * Mirrors argo-rollouts utils/analysis/helpers.go `MergeArgs`.
 */
export function mergeArgs(incoming: readonly Argument[], declared: readonly Argument[]): Outcome<readonly Argument[]> {
  const given = new Map(incoming.map((arg) => [arg.name, arg]));
  const args = declared.map((arg) => override(arg, given.get(arg.name)));
  const unresolved = args.find((arg) => arg.value === undefined && arg.valueFrom === undefined);
  return unresolved === undefined ? { value: args } : { error: `args.${unresolved.name} was not resolved` };
}

/** Overrides the value. A declared `valueFrom` stays next to the caller's value, as upstream does. */
function override(declared: Argument, given: Argument | undefined): Argument {
  if (given?.value !== undefined) return { ...declared, value: given.value };
  return given?.valueFrom === undefined ? declared : { ...declared, valueFrom: given.valueFrom };
}

/**
 * Returns the spec of a run made from templates. Rules given separately come before the templates' own. Mirrors
 * argo-rollouts utils/analysis/helpers.go `NewAnalysisRunFromTemplates`.
 */
export function composeRun(input: {
  readonly templates: readonly TemplateSpec[];
  readonly clusterTemplates?: readonly TemplateSpec[];
  readonly args?: readonly Argument[];
  readonly dryRun?: readonly DryRunRule[];
  readonly measurementRetention?: readonly MeasurementRetentionRule[];
}): Outcome<AnalysisRunSpec> {
  const merged = mergeTemplates(input.templates, input.clusterTemplates);
  if ("error" in merged) return merged;
  const args = mergeArgs(input.args ?? [], merged.value.args);
  if ("error" in args) return args;
  const dryRun = [...(input.dryRun ?? []), ...merged.value.dryRun];
  const measurementRetention = [...(input.measurementRetention ?? []), ...merged.value.measurementRetention];
  const clash = dryRunClash(dryRun) ?? retentionClash(measurementRetention);
  if (clash !== undefined) return { error: clash };
  return { value: { metrics: merged.value.metrics, args: args.value, dryRun, measurementRetention } };
}
