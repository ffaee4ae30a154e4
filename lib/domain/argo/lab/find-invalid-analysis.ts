import { effectiveCount } from "#lib/domain/argo/analysis/int-or-string.ts";
import type { NamedTemplate } from "#lib/domain/argo/analysis/merge-templates.ts";
import type { Outcome } from "#lib/domain/argo/analysis/outcome.ts";
import { createMetricResolver, resolveAllMetricArgs } from "#lib/domain/argo/analysis/resolve-metric-args.ts";
import type { Argument, MetricSpec } from "#lib/domain/argo/analysis/types.ts";

type Templates = { readonly templates: readonly NamedTemplate[]; readonly clusterTemplates: readonly NamedTemplate[] };

/**
 * Returns why a Rollout with this analysis becomes InvalidSpec, in upstream's words; undefined if it does not. Each
 * template is resolved with its own arguments: those that the Rollout gives do not count. Only a background analysis
 * may measure without end. Mirrors argo-rollouts pkg/apis/rollouts/validation/validation_references.go
 * `ValidateAnalysisTemplateWithType`, which is called once the templates were merged.
 */
export function findInvalidAnalysis(found: Templates, isBackground: boolean): string | undefined {
  if (isBackground) return undefined;
  for (const { name, spec } of [...found.templates, ...found.clusterTemplates]) {
    const resolved = resolveAlone(spec.metrics ?? [], spec.args ?? []);
    if ("error" in resolved) return `AnalysisTemplate ${name}: ${resolved.error}`;
    const endless = resolved.value.find((metric) => effectiveCount(metric) === undefined);
    if (endless === undefined) continue;
    const count = `Invalid value for count: ${endless.count ?? "<nil>"}`;
    return `AnalysisTemplate ${name} has metric ${endless.name} which runs indefinitely. ${count}`;
  }
  return undefined;
}

function resolveAlone(metrics: readonly MetricSpec[], args: readonly Argument[]): Outcome<readonly MetricSpec[]> {
  const both = args.find(({ value, valueFrom }) => value !== undefined && valueFrom !== undefined);
  if (both !== undefined) return { error: `arg '${both.name}' has both Value and ValueFrom fields` };
  return resolveAllMetricArgs(
    metrics,
    createMetricResolver(args.map(({ name, value }) => ({ name, value: value ?? "dummy-value" }))),
  );
}
