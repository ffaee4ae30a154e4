import type { TemplateSpec } from "#lib/domain/argo/analysis/merge-templates.ts";
import { findIdleRules } from "#lib/domain/argo/analysis/metric-name-rules.ts";
import type { TemplateProblem } from "#lib/domain/delivery/template-lab.ts";
import type { YamlPath, YamlPlaces } from "./yaml-places.ts";

const kinds = { dryRun: "Dry-Run", measurementRetention: "Measurement Retention" } as const;

/** Finds rules for metrics by name that end every run in Error: without a metric, or twice. */
export function lintNameRules(spec: TemplateSpec, places: YamlPlaces, base: YamlPath): TemplateProblem[] {
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
