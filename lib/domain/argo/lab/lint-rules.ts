import { findHarmless } from "#lib/domain/argo/analysis/find-harmless.ts";
import { mergeTemplates, type TemplateSpec } from "#lib/domain/argo/analysis/merge-templates.ts";
import { findIdleRules } from "#lib/domain/argo/analysis/metric-name-rules.ts";
import type { AnalysisRunSpec } from "#lib/domain/argo/analysis/types.ts";
import type { TemplateProblem } from "#lib/domain/delivery/template-lab.ts";
import { lintMetric } from "./lint-metric.ts";
import type { YamlPath, YamlPlaces } from "./yaml-places.ts";

/** Finds parts of a template's spec that the controller refuses, and parts with another effect than written. */
export function lintRules(
  spec: TemplateSpec,
  { places, base, controllerVersion }: { places: YamlPlaces; base: YamlPath; controllerVersion?: string | undefined },
): TemplateProblem[] {
  const metrics = spec.metrics ?? [];
  if (metrics.length === 0 && (spec.templates ?? []).length === 0) {
    return [places.problemAt([...base, "metrics"], "Analysis spec invalid: no metrics specified")];
  }
  const declared = new Set((spec.args ?? []).map(({ name }) => name));
  const seen = new Set<string>();
  const problems = metrics.flatMap((metric, index): TemplateProblem[] => {
    const path = [...base, "metrics", index];
    const isRepeated = seen.has(metric.name);
    seen.add(metric.name);
    return [
      ...(isRepeated ? [places.problemAt([...path, "name"], `duplicate name '${metric.name}'`)] : []),
      ...lintMetric(metric, { declared, places, path, controllerVersion }),
    ];
  });
  problems.push(...lintNameRules(spec, places, base), ...lintArguments(spec.args, places, base));
  if (problems.some(({ severity }) => severity === "error")) return problems;
  const harmless = findHarmless({ metrics, args: withValues(spec.args), dryRun: dryRunOf(spec) });
  return [
    ...problems,
    ...harmless.map(({ metric, why }) => {
      const index = metrics.findIndex(({ name }) => name === metric);
      return places.problemAt([...base, "metrics", index, "name"], `It can never fail. ${why}`, "warning");
    }),
  ];
}

/** Finds upstream's errors for arguments of one name, and for an argument with two sources of its value. */
function lintArguments(args: TemplateSpec["args"] = [], places: YamlPlaces, base: YamlPath): TemplateProblem[] {
  const both = args.flatMap(({ name, value, valueFrom }, index) =>
    value === undefined || valueFrom === undefined
      ? []
      : [places.problemAt([...base, "args", index], `arg '${name}' has both Value and ValueFrom fields`)],
  );
  const merged = mergeTemplates([{ args }]);
  return "error" in merged ? [...both, places.problemAt([...base, "args"], merged.error)] : both;
}

/** A rule that matches nothing here may match a metric of another template. */
function dryRunOf({ dryRun = [], templates = [] }: TemplateSpec): AnalysisRunSpec["dryRun"] {
  return templates.length === 0 ? dryRun : [];
}

/** Arguments that the rollout will give get a value that fits text and numbers. */
function withValues(args: TemplateSpec["args"]): NonNullable<AnalysisRunSpec["args"]> {
  return (args ?? []).map(({ name, value }) => ({ name, value: value ?? "1" }));
}

const kinds = { dryRun: "Dry-Run", measurementRetention: "Measurement Retention" } as const;

/** Finds rules for metrics by name that end every run in Error: without a metric, or twice. */
function lintNameRules(spec: TemplateSpec, places: YamlPlaces, base: YamlPath): TemplateProblem[] {
  return (["dryRun", "measurementRetention"] as const).flatMap((kind) => {
    const rules = spec[kind] ?? [];
    const at = (index: number, text: string) => places.problemAt([...base, kind, index, "metricName"], text);
    const repeated = rules.flatMap(({ metricName }, index) =>
      rules.findIndex((rule) => rule.metricName === metricName) < index
        ? [at(index, `two ${kinds[kind]} metric rules have the same name '${metricName}'`)]
        : [],
    );
    const idle = findIdleRules({ kind, rules, metrics: spec.metrics ?? [] })
      .filter(({ isBroken }) => isBroken || areNamesKnown(spec))
      .map(({ index, error }) => at(index, `Analysis spec invalid: ${error}`));
    return [...repeated, ...idle];
  });
}

/** Other templates add metrics, and arguments give names. */
function areNamesKnown({ metrics = [], templates = [] }: TemplateSpec): boolean {
  return templates.length === 0 && metrics.every(({ name }) => !name.includes("{{"));
}
