import { knownLanguageOf, versionsOf } from "#lib/domain/argo/analysis/controller-language.ts";
import { compileCondition } from "#lib/domain/argo/analysis/evaluate-result.ts";
import { effectiveCount, int32Value, intValue } from "#lib/domain/argo/analysis/int-or-string.ts";
import { providerOf } from "#lib/domain/argo/analysis/judge-measurement.ts";
import { listUnresolvedTags } from "#lib/domain/argo/analysis/resolve-metric-args.ts";
import type { MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import { validateMetric } from "#lib/domain/argo/analysis/validate-metrics.ts";
import {
  type ConditionFault,
  faultOn,
  findConditionFault,
  sampleResults,
} from "#lib/domain/argo/backtest/propose-metric.ts";
import type { TemplateProblem } from "#lib/domain/delivery/template-lab.ts";
import { isExpressionError } from "#lib/expr/errors.ts";
import { formatGoFloat } from "#lib/expr/go-number.ts";
import type { GoValue } from "#lib/expr/go-value.ts";
import { newestLanguage } from "#lib/expr/language.ts";
import { goValueOf } from "#lib/expr/typed-value.ts";
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

const older = "1.15.5";

type LintedCondition = ConditionFault & Pick<TemplateProblem, "severity">;

/**
 * Finds a fault for which this controller refuses a condition. If the version is unknown, a fault that only controllers
 * before 1.10 refuse is a warning. So is a condition that such a controller refuses for some type of result, or
 * evaluates differently.
 */
export function lintCondition(
  condition: string,
  { provider, controllerVersion }: { provider: string; controllerVersion: string | undefined },
): LintedCondition | undefined {
  const language = knownLanguageOf(controllerVersion);
  if (language !== older) {
    const fault = findConditionFault(condition);
    if (fault !== undefined) return { ...fault, severity: "error" };
    if (language !== undefined) return undefined;
  }
  const who = language === undefined ? versionsOf[older] : `Argo Rollouts ${controllerVersion}`;
  const fault = findConditionFault(condition, older);
  if (fault !== undefined) {
    const severity = language === undefined ? "warning" : "error";
    return { ...fault, text: `${who} cannot evaluate it: ${fault.text}`, severity };
  }
  return (
    findTypeFault(condition, { provider, who }) ?? (language === undefined ? findOtherReading(condition) : undefined)
  );
}

/** Finds a type of result that newer controllers accept and older ones refuse. */
function findTypeFault(
  condition: string,
  { provider, who }: { provider: string; who: string },
): LintedCondition | undefined {
  const samples = provider === "prometheus" ? sampleResults.filter(({ isNumeric }) => isNumeric) : sampleResults;
  for (const { name, value } of samples) {
    const fault = faultOn(value, condition) === undefined ? faultOn(value, condition, older) : undefined;
    if (fault === undefined) continue;
    return { ...fault, text: `${who} cannot evaluate it if the result is ${name}: ${fault.text}`, severity: "warning" };
  }
  return undefined;
}

/** At most this many numbers and lists of a condition are tried as results. */
const mostTried = 6;

/**
 * Finds a result for which older and newer controllers give different answers, such as [1] for `result == [1]`. Tries
 * the numbers and lists that the condition names.
 */
function findOtherReading(condition: string): LintedCondition | undefined {
  const numbers = [...new Set([1, ...readNumbers(condition)])].slice(0, mostTried);
  const lists =
    condition
      .match(/\[[^[\]]*\]/g)
      ?.slice(0, mostTried)
      .map(readNumbers) ?? [];
  const differences = [
    findDifference(condition, [...lists, ...numbers.map((number) => [number])], (value) => ({
      name: `[${value.map(formatGoFloat).join(",")}]`,
      value: goValueOf({ type: "[]float64", value }),
    })),
    findDifference(condition, numbers, (value) => ({
      name: formatGoFloat(value),
      value: goValueOf({ type: "float64", value }),
    })),
  ];
  const found = differences.find((difference) => difference !== undefined);
  return found === undefined ? undefined : { text: found, severity: "warning" };
}

function readNumbers(text: string): number[] {
  const found = text.match(/-?(?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi) ?? [];
  return found.map((number) => Number(number.replaceAll("_", ""))).filter(Number.isFinite);
}

/**
 * Compares the outcomes of both languages for results of one type. Conditions that one of them cannot evaluate are
 * compared elsewhere.
 */
function findDifference<Sample>(
  condition: string,
  samples: readonly Sample[],
  make: (sample: Sample) => { name: string; value: GoValue },
): string | undefined {
  const [first] = samples;
  if (first === undefined) return undefined;
  try {
    const { value } = make(first);
    const [newer, other] = [
      compileCondition(condition, value, newestLanguage),
      compileCondition(condition, value, older),
    ];
    for (const { name, value: result } of samples.map(make)) {
      const [isNow, was] = [newer(result, 0), other(result, 0)];
      if (isNow !== was)
        return `If the result is ${name}, the condition is ${was} in ${versionsOf[older]} and ${isNow} in later versions`;
    }
  } catch (error) {
    if (!isExpressionError(error)) throw error;
  }
  return undefined;
}
