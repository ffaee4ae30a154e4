import type { MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import { validateMetric } from "#lib/domain/argo/analysis/validate-metrics.ts";
import {
  type FaultyField,
  type ProposableField,
  type Proposal,
  proposableFields,
} from "#lib/domain/delivery/backtest.ts";
import { conditionEnvironment } from "#lib/expr/environment.ts";
import { isExpressionError } from "#lib/expr/errors.ts";
import type { GoValue } from "#lib/expr/go-value.ts";
import { type Language, languages } from "#lib/expr/language.ts";
import { compileProgram } from "#lib/expr/program.ts";
import { goValueOf } from "#lib/expr/typed-value.ts";
import { parseGoDuration } from "#lib/util/duration.ts";

/** Returns the metric with the proposed rules. Tags of arguments in them are not filled in. */
export function proposeMetric(metric: MetricSpec, proposal: Proposal): MetricSpec {
  const proposed: Record<string, unknown> = { ...metric };
  for (const field of proposableFields) {
    const value = proposal[field];
    if (value === undefined) continue;
    if (value === null || value === "") delete proposed[field];
    else proposed[field] = value;
  }
  // Every proposable field may hold the values that a proposal may have, or is checked by `findFaults`.
  return { ...(proposed as MetricSpec), name: metric.name };
}

/** Lists the faults of a proposal that do not depend on the run. Rules with tags of arguments are left to each run. */
export function findFaults(proposal: Proposal): FaultyField[] {
  return [...conditionFaults(proposal), ...durationFaults(proposal), ...limitFaults(proposal)];
}

function conditionFaults(proposal: Proposal): FaultyField[] {
  return (["successCondition", "failureCondition"] as const).flatMap((field) => {
    const condition = proposal[field];
    if (typeof condition !== "string" || condition === "" || hasTags(condition)) return [];
    // Each run is replayed in the language of its controller: only a condition that fits none is refused.
    const faults = languages.map((language) => findConditionFault(condition, language));
    const fault = faults.includes(undefined) ? undefined : faults.at(-1);
    return fault === undefined ? [] : [{ field, ...fault }];
  });
}

function durationFaults(proposal: Proposal): FaultyField[] {
  return (["interval", "initialDelay"] as const).flatMap((field) => {
    const text = proposal[field];
    if (text === undefined || text === null || text === "" || hasTags(text)) return [];
    if (typeof text === "number") return [{ field, text: "A duration needs a unit, such as 30s." }];
    const parsed = parseGoDuration(text);
    return "error" in parsed ? [{ field, text: parsed.error }] : [];
  });
}

const limits = [
  "failureLimit",
  "inconclusiveLimit",
  "consecutiveErrorLimit",
  "consecutiveSuccessLimit",
  "count",
] as const satisfies readonly ProposableField[];

/** The controller reads text that is not a number as 0: here it is a fault. */
function limitFaults(proposal: Proposal): FaultyField[] {
  return limits.flatMap((field): FaultyField[] => {
    const value = proposal[field];
    if (value === undefined || value === null || value === "" || hasTags(value)) return [];
    if (!/^[+-]?[0-9]{1,9}$/.test(String(value))) return [{ field, text: "It must be a whole number." }];
    const lowest = field === "failureLimit" ? -1 : 0;
    return Number(value) < lowest ? [{ field, text: `It must be at least ${lowest}.` }] : [];
  });
}

function hasTags(value: string | number): boolean {
  return String(value).includes("{{");
}

/** Returns why a metric with its arguments filled in is invalid; its source is not judged. */
export function findInvalidRules(metric: MetricSpec): string | undefined {
  return validateMetric({ ...metric, provider: { prometheus: {} } });
}

export type ConditionFault = Omit<FaultyField, "field">;

/** `isNumeric`: providers that measure numbers give it. */
type SampleResult = { readonly name: string; readonly value: GoValue; readonly isNumeric?: true };

/** One result for each Go type that providers pass to conditions; any JSON type is checked as it is evaluated. */
export const sampleResults: readonly SampleResult[] = [
  { name: "a list of numbers", value: goValueOf({ type: "[]float64", value: [1] }), isNumeric: true },
  { name: "a number", value: goValueOf({ type: "float64", value: 1 }), isNumeric: true },
  { name: "an object", value: goValueOf({ type: "json", value: {} }) },
  { name: "a list", value: goValueOf({ type: "json", value: [] }) },
  { name: "text", value: goValueOf({ type: "string", value: "" }) },
  { name: "a boolean", value: goValueOf({ type: "bool", value: true }) },
  { name: "nil", value: goValueOf({ type: "nil" }) },
];

/** Returns why a condition fits no type of result. */
export function findConditionFault(condition: string, language?: Language): ConditionFault | undefined {
  let first: ConditionFault | undefined;
  for (const { value } of sampleResults) {
    const fault = faultOn(value, condition, language);
    if (fault === undefined) return undefined;
    first ??= fault;
  }
  return first;
}

/** Returns why a condition does not fit results of the type of `sample`. */
export function faultOn(sample: GoValue, condition: string, language?: Language): ConditionFault | undefined {
  try {
    compileProgram(condition, conditionEnvironment(sample, language));
    return undefined;
  } catch (error) {
    if (!isExpressionError(error)) throw error;
    const { message: text, position } = error;
    return { text, ...(position === undefined ? {} : { position }) };
  }
}
