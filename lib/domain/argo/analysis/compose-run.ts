import { dryRunClash, mergeTemplates, retentionClash, type TemplateSpec } from "./merge-templates.ts";
import type { Outcome } from "./outcome.ts";
import type { AnalysisRunSpec, Argument, DryRunRule, MeasurementRetentionRule } from "./types.ts";

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
