import { type Language, languages } from "#lib/expr/language.ts";
import { isTypedValueError, type TypedValue } from "#lib/expr/typed-value.ts";
import { versionsOf } from "./controller-language.ts";
import { createResultEvaluator, type ResultEvaluation } from "./evaluate-result.ts";
import { isCutOff, isUnevaluated } from "./measurement-value.ts";
import { typedValueOf } from "./recorded-result.ts";
import type { AnalysisPhase, Measurement, MetricSpec } from "./types.ts";

/** Why the conditions cannot be evaluated again on the record. */
export type UndecidedRule = "provider" | "value" | "expression" | "secret";

/**
 * The outcome of a metric's conditions for a recorded value. `isSure` is false if an outcome that differs from the
 * recorded one proves nothing: the provider rounds recorded values, or the condition uses the time.
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

/**
 * Judges the finished measurements of one metric, whose arguments must be resolved, like the controller did. Without a
 * `language`, every language must give the same phase.
 */
export function createMeasurementJudge(
  metric: MetricSpec,
  language?: Language,
): (measurement: Measurement) => Judgement {
  const judge = createConditionJudge(metric, language === undefined ? languages : [language]);
  return (measurement) => {
    const { phase } = measurement;
    if (isCutOff(measurement)) return { state: "given", phase, why: "cut-off" };
    if (isUnevaluated(metric, measurement)) return { state: "given", phase, why: "unevaluated" };
    return judge(measurement);
  };
}

function createConditionJudge(
  metric: MetricSpec,
  possible: readonly Language[],
): (measurement: Measurement) => Judgement {
  const provider = providerOf(metric);
  const { successCondition = "", failureCondition = "" } = metric;
  if (isSelfJudging(metric)) {
    return () => ({ state: "undecided", rule: "provider", reason: `provider ${provider} decides the result itself` });
  }
  if (isHidden(metric)) {
    return () => ({ state: "undecided", rule: "secret", reason: "a condition contains a value that is not stored" });
  }
  const isTypeKnown = possible.length === 1 && provider !== "web";
  const evaluators = possible.map((language) => ({
    language,
    evaluate: createResultEvaluator({ successCondition, failureCondition, language }),
  }));
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
      const now = timeOf(finishedAt);
      const outcomes = evaluators.map(({ language, evaluate }) => ({ language, ...evaluate(result, now) }));
      const failed = outcomes.find(({ error }) => error?.kind === "budget" || error?.kind === "unsupported");
      if (failed?.error !== undefined) return { state: "undecided", rule: "expression", reason: failed.error.text };
      const reason = disagreement(outcomes);
      if (reason !== undefined) return { state: "undecided", rule: "expression", reason };
      const { phase: judged, message, error } = outcomes.at(-1) ?? noOutcome;
      // Older controllers passed other Go types to conditions (web: text instead of JSON).
      if (error?.kind === "type" && phase !== "Error" && !isTypeKnown) {
        return {
          state: "undecided",
          rule: "expression",
          reason: `the value may have had another type (${error.text})`,
        };
      }
      const isSame = (other: TypedValue) => evaluators.every(({ evaluate }) => evaluate(other).phase === judged);
      if (asksForOrder && !orders(result).every(isSame))
        return { state: "undecided", rule: "expression", reason: anyOrder };
      const isSure = !asksForTime && extremes(result, rounding).every(isSame);
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

const noOutcome: ResultEvaluation = { phase: "Error" };

/** Returns how the outcome depends on the language; undefined if it does not. */
function disagreement(
  outcomes: readonly { readonly language: Language; readonly phase: AnalysisPhase }[],
): string | undefined {
  if (new Set(outcomes.map(({ phase }) => phase)).size < 2) return undefined;
  const given = outcomes.map(({ language, phase }) => `${phase} in ${versionsOf[language]} (expr ${language})`);
  return `it is ${given.join(", ")}, and the version is not known`;
}

function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? undefined : time;
}
