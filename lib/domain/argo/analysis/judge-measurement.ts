import { isTypedValueError, type TypedValue } from "#lib/expr/typed-value.ts";
import { isCutOff, isUnevaluated } from "./cut-off.ts";
import { createResultEvaluator } from "./evaluate-result.ts";
import { typedValueOf } from "./recorded-result.ts";
import type { AnalysisPhase, Measurement, MetricSpec } from "./types.ts";

/** Why the conditions cannot be evaluated again on the record. */
export type UndecidedRule = "provider" | "value" | "expression" | "secret";

/**
 * What a metric's conditions say about a recorded value. `isSure` is false if an outcome that differs from the recorded
 * one proves nothing: the provider rounds what it records, or the condition uses the time.
 */
export type Judgement =
  | {
      readonly state: "judged";
      readonly phase: AnalysisPhase;
      readonly message?: string;
      readonly result: TypedValue;
      readonly isSure: boolean;
    }
  /** Nothing to evaluate: the measurement was not taken or not evaluated, or no condition needs its value. */
  | { readonly state: "given"; readonly phase: AnalysisPhase; readonly why?: "cut-off" | "unevaluated" }
  | { readonly state: "undecided"; readonly rule: UndecidedRule; readonly reason: string };

/** Providers that decide the phase themselves. */
const selfJudging = ["kayenta", "job", "plugin"];

/** Marks that replace a secret (createSecretlessResolver, redaction), or a tag that was not filled in. */
const hiddenMark = /temp-for-secret|\[redacted\]|\{\{/;

/** Returns the first field among a metric's rules whose content is not in the record. */
export function findHiddenField(metric: MetricSpec): string | undefined {
  return ruleFields.find((name) => hiddenMark.test(String(metric[name] ?? "")));
}

/** Returns whether part of a condition is not in the record. */
export function isHidden({ successCondition = "", failureCondition = "" }: MetricSpec): boolean {
  return hiddenMark.test(successCondition) || hiddenMark.test(failureCondition);
}

const ruleFields = [
  "successCondition",
  "failureCondition",
  "count",
  "failureLimit",
  "inconclusiveLimit",
  "consecutiveErrorLimit",
  "consecutiveSuccessLimit",
] as const satisfies readonly (keyof MetricSpec)[];

/** Returns whether the metric's provider decides by itself, without the conditions. */
export function isSelfJudging(metric: Pick<MetricSpec, "provider">): boolean {
  return selfJudging.includes(providerOf(metric));
}

/** Returns the provider's key in a metric's spec. */
export function providerOf(metric: Pick<MetricSpec, "provider">): string {
  return Object.keys(metric.provider ?? {})[0] ?? "";
}

/** Judges the finished measurements of one metric, whose arguments must be resolved, like the controller did. */
export function createMeasurementJudge(metric: MetricSpec): (measurement: Measurement) => Judgement {
  const judge = createConditionJudge(metric);
  return (measurement) => {
    const { phase } = measurement;
    if (isCutOff(measurement)) return { state: "given", phase, why: "cut-off" };
    if (isUnevaluated(metric, measurement)) return { state: "given", phase, why: "unevaluated" };
    return judge(measurement);
  };
}

function createConditionJudge(metric: MetricSpec): (measurement: Measurement) => Judgement {
  const provider = providerOf(metric);
  const { successCondition = "", failureCondition = "" } = metric;
  if (isSelfJudging(metric)) {
    return () => ({ state: "undecided", rule: "provider", reason: `provider ${provider} decides the result itself` });
  }
  if (isHidden(metric)) {
    return () => ({ state: "undecided", rule: "secret", reason: "a condition contains a value that is not stored" });
  }
  const evaluate = createResultEvaluator({ successCondition, failureCondition });
  const hasConditions = successCondition !== "" || failureCondition !== "";
  const asksForTime = /\bnow\s*\(/.test(`${successCondition} ${failureCondition}`);
  const asksForOrder = hasAnyOrder.test(`${successCondition} ${failureCondition}`);
  return (measurement) => {
    const { phase, value = "", finishedAt } = measurement;
    // An error without a value came from the provider; nothing in the record can contradict it.
    if (phase === "Error" && value === "") return { state: "given", phase };
    if (!hasConditions) return { state: "given", phase: phase === "Error" ? phase : "Successful" };
    const recorded = typedValueOf(provider, value);
    if ("unrecoverable" in recorded) return { state: "undecided", rule: "value", reason: recorded.unrecoverable };
    const { result, rounding } = recorded;
    try {
      const { phase: judged, message, error } = evaluate(result, timeOf(finishedAt));
      if (error?.kind === "budget" || error?.kind === "unsupported") {
        return { state: "undecided", rule: "expression", reason: error.text };
      }
      // Older controllers passed other Go types to conditions (web: text instead of JSON), and the record does not name
      // its controller.
      if (error?.kind === "type" && phase !== "Error") {
        return {
          state: "undecided",
          rule: "expression",
          reason: `the value may have had another type (${error.text})`,
        };
      }
      if (asksForOrder && orders(result).some((other) => evaluate(other).phase !== judged))
        return { state: "undecided", rule: "expression", reason: anyOrder };
      const isSure = !asksForTime && extremes(result, rounding).every((other) => evaluate(other).phase === judged);
      return { state: "judged", phase: judged, message, result, isSure };
    } catch (error) {
      if (!isTypedValueError(error)) throw error;
      return { state: "undecided", rule: "value", reason: error.message };
    }
  };
}

/** Go visits the entries of a map in another order each time. */
const hasAnyOrder = /\b(?:keys|values|toPairs)\s*\(/;
const anyOrder = "it depends on the order of an object's entries, which is another one each time";
const mostOrders = 8;

/** Returns a result with the entries of its objects in other orders. */
function orders(result: TypedValue): TypedValue[] {
  if (result.type !== "json") return [];
  return Array.from({ length: mostOrders }, (_, turn) => ({ ...result, value: reorder(result.value, turn) }));
}

function reorder(value: unknown, turn: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => reorder(item, turn));
  const entries = Object.entries(value).map(([key, item]) => [key, reorder(item, turn)] as const);
  const start = (turn >> 1) % Math.max(entries.length, 1);
  const turned = [...entries.slice(start), ...entries.slice(0, start)];
  return Object.fromEntries(turn % 2 === 0 ? turned : turned.toReversed());
}

/** Returns the results farthest from the recorded one that are recorded as the same. */
function extremes(result: TypedValue, rounding: number): TypedValue[] {
  if (rounding === 0) return [];
  return [-rounding, rounding].map((by) => {
    const move = (value: unknown): unknown => (typeof value === "number" ? value + by : value);
    return {
      ...result,
      value: Array.isArray(result.value) ? result.value.map(move) : move(result.value),
    } as TypedValue;
  });
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : time;
}
