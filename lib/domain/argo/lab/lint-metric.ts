import { effectiveCount, int32Value, intValue } from "#lib/domain/argo/analysis/int-or-string.ts";
import { providerOf } from "#lib/domain/argo/analysis/judge-measurement.ts";
import { listUnresolvedTags } from "#lib/domain/argo/analysis/resolve-metric-args.ts";
import type { MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import { validateMetric } from "#lib/domain/argo/analysis/validate-metrics.ts";
import type { TemplateProblem } from "#lib/domain/delivery/template-lab.ts";
import { lintCondition } from "./lint-condition.ts";
import type { YamlPath, YamlPlaces } from "./yaml-places.ts";

type Context = {
  readonly declared: ReadonlySet<string>;
  readonly places: YamlPlaces;
  readonly path: YamlPath;
  readonly controllerVersion?: string | undefined;
};

/** Finds values in a metric that the controller refuses, or reads as other values. */
export function lintMetric(metric: MetricSpec, context: Context): TemplateProblem[] {
  return [
    ...conditionProblems(metric, context),
    ...validationProblems(metric, context),
    ...limitProblems(metric, context),
    ...tagProblems(metric, context),
  ];
}

function conditionProblems(metric: MetricSpec, { places, path, controllerVersion }: Context): TemplateProblem[] {
  return (["successCondition", "failureCondition"] as const).flatMap((field) => {
    const condition = metric[field];
    if (condition === undefined || condition === "" || condition.includes("{{")) return [];
    const place = [...path, field];
    const fault = lintCondition(condition, { provider: providerOf(metric), controllerVersion });
    if (fault === undefined) return [];
    const problem =
      fault.position === undefined
        ? places.problemAt(place, fault.text)
        : places.problemWithin(place, fault.position, fault.text);
    return [{ ...problem, severity: fault.severity }];
  });
}

const limits = [
  "consecutiveSuccessLimit",
  "inconclusiveLimit",
  "consecutiveErrorLimit",
  "failureLimit",
  "count",
] as const;
const fields = [...limits, "interval", "initialDelay", "provider"] as const;

/** Reports upstream's first objection at the field that it names first. Rules with arguments are left to the preview. */
function validationProblems(metric: MetricSpec, { places, path }: Context): TemplateProblem[] {
  if (fields.some((field) => field !== "provider" && hasTag(metric[field]))) return [];
  const text = validateMetric(metric);
  if (text === undefined) return [];
  const named = fields
    .filter((field) => text.includes(field === "initialDelay" ? "startDelay" : field) && metric[field] !== undefined)
    .toSorted((one, other) => text.indexOf(one) - text.indexOf(other))[0];
  return [named === undefined ? places.problemAt([...path, "name"], text) : places.problemAt([...path, named], text)];
}

function hasTag(value: unknown): boolean {
  return String(value ?? "").includes("{{");
}

/** Text that is no number counts as 0, and a negative count as 1. */
function limitProblems(metric: MetricSpec, { places, path }: Context): TemplateProblem[] {
  return limits.flatMap((field) => {
    const value = metric[field];
    if (value === undefined || hasTag(value)) return [];
    const text = misreading(field, metric) ?? (field === "count" ? negativeCount(metric) : undefined);
    return text === undefined ? [] : [places.problemAt([...path, field], text, "warning")];
  });
}

function misreading(field: (typeof limits)[number], metric: MetricSpec): string | undefined {
  const value = metric[field];
  const read = int32Value(value);
  const isNumber = typeof value === "number" || /^[+-]?[0-9]+$/.test(value ?? "");
  if (isNumber && Number(value) === read) return undefined;
  const effect = field === "count" && read === 0 ? `: the metric is measured ${timesOf(metric)}` : "";
  return `The controller reads ${field} ${JSON.stringify(value)} as ${read}${effect}.`;
}

function timesOf(metric: MetricSpec): string {
  return effectiveCount(metric) === undefined ? "without end" : "once";
}

function negativeCount({ count }: MetricSpec): string | undefined {
  return intValue(count) < 0 ? `The controller reads count ${count} as 1: the metric is measured once.` : undefined;
}

function tagProblems(metric: MetricSpec, { declared, places, path }: Context): TemplateProblem[] {
  return listUnresolvedTags(metric, declared).map(({ error, tag, name }) => {
    const text = name === undefined ? `Every {{...}} must be an argument: ${error}` : undeclared(name, error);
    return tag === undefined ? places.problemAt(path, error) : places.problemAtText(path, tag, text);
  });
}

function undeclared(name: string, error: string): string {
  return `Argument ${name} is not declared in args: ${error}`;
}
