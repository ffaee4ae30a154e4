import { isResult, type Threshold } from "#lib/domain/delivery/explaining.ts";
import { operatorSigns, showLimit } from "#lib/domain/units/show-value.ts";
import { conditionEnvironment } from "#lib/expr/environment.ts";
import { isExpressionError } from "#lib/expr/errors.ts";
import { formatGoFloat } from "#lib/expr/go-number.ts";
import { GoInteger, type GoValue, typeName } from "#lib/expr/go-value.ts";
import { compileProgram, type Program } from "#lib/expr/program.ts";
import { goValueOf } from "#lib/expr/typed-value.ts";
import { capital } from "#lib/util/words.ts";
import { createMeasurementJudge, type Judgement, providerOf } from "./judge-measurement.ts";
import { thresholdsOf } from "./thresholds.ts";
import type { AnalysisPhase, Measurement, MetricSpec } from "./types.ts";

/**
 * Explains each measurement's phase, in a sentence with the numbers that were compared. The metric's arguments should
 * be resolved. If the recorded phase is not the one that the conditions give, the sentence says so. `unit` is that of the values.
 */
export function createMeasurementExplainer(
  metric: MetricSpec,
  unit: string | null = null,
): (measurement: Measurement) => string {
  const judge = createMeasurementJudge(metric);
  const say = createReasons(metric, unit);
  return (measurement) => {
    const { phase } = measurement;
    if (phase === "Pending" || phase === "Running") return "The measurement is not finished.";
    const judgement = judge(measurement);
    if (judgement.state === "judged" && judgement.phase !== phase) {
      if (!judgement.isSure) return `Recorded as ${phase}; ${coarse}.`;
      return `Recorded as ${phase}, but its conditions give ${judgement.phase}: ${say(judgement.phase, judgement)}.`;
    }
    if (judgement.state === "given" && judgement.why === "cut-off")
      return `It was ended before it had a result; the controller recorded it as ${phase}.`;
    if (phase === "Error") return `It could not be taken or judged: ${measurement.message || "no reason was recorded"}`;
    if (judgement.state === "given" && judgement.why === "unevaluated")
      return "The body is not JSON: the controller accepted it without evaluating a condition.";
    if (judgement.state === "undecided") return sayUndecided(metric, phase, judgement);
    return capital(`${say(phase, judgement)}.`);
  };
}

const deciders: Readonly<Record<string, string>> = {
  job: "A Job decides by its exit status",
  kayenta: "Kayenta decides by its own judge",
};
const reported: Partial<Record<AnalysisPhase, string>> = {
  Successful: "it reported a success",
  Failed: "it reported a failure",
  Inconclusive: "it gave no clear result",
};

/** Names who decided; no condition was evaluated on this value. */
function sayUndecided(
  metric: MetricSpec,
  phase: AnalysisPhase,
  { rule, reason }: Extract<Judgement, { state: "undecided" }>,
): string {
  if (rule !== "provider") return `Recorded as ${phase}. Its conditions cannot be evaluated again: ${reason}.`;
  const decider = deciders[providerOf(metric)] ?? "The plugin decides by itself";
  return `${decider}: ${reported[phase] ?? `it reported ${phase}`}.`;
}

/** Why a differing replay proves nothing if a judgement is not sure. */
export const coarse = "the recorded value is too coarse to show why, or the condition uses the time";

/** Returns the reason for a phase that conditions gave, without a full stop. */
export function createReasons(
  metric: MetricSpec,
  unit: string | null = null,
): (phase: AnalysisPhase, judgement: Judgement) => string {
  const success = createSide("success", unit, metric.successCondition);
  const failure = createSide("failure", unit, metric.failureCondition);
  return (phase, judgement) => {
    if (phase === "Error") return (judgement.state === "judged" && judgement.message) || "the reason is unknown";
    const result = judgement.state === "judged" ? goValueOf(judgement.result) : undefined;
    const passes = success?.(result);
    const fails = failure?.(result);
    if (phase === "Inconclusive") return inconclusive(passes, fails);
    if (phase === "Failed") return failed(passes, fails);
    return successful(passes, fails);
  };
}

/** One condition on one result. `short` and `compared` are set only if it is a single comparison. */
type Clause = {
  readonly quoted: string;
  readonly numbers: string;
  readonly value?: string;
  readonly short?: string;
  readonly compared?: string;
  /** One of the numbers is NaN. */
  readonly isUnordered: boolean;
};

function successful(passes: Clause | undefined, fails: Clause | undefined): string {
  if (passes !== undefined) return holds(passes, "passes");
  if (fails === undefined) return "there is no condition: any result passes";
  return `${missed(fails)}, so it passes`;
}

function failed(passes: Clause | undefined, fails: Clause | undefined): string {
  if (fails !== undefined) return holds(fails, "fails");
  return passes === undefined ? "the provider reported a failure" : `${missed(passes)}, so it fails`;
}

function inconclusive(passes: Clause | undefined, fails: Clause | undefined): string {
  if (passes === undefined || fails === undefined) return "the provider gave no clear result";
  const isSame = passes.value !== undefined && passes.value === fails.value;
  if (isSame && passes.short !== undefined && fails.short !== undefined) {
    const what = passes.isUnordered ? "NaN compares false: it" : passes.value;
    return `${what} neither passes (${passes.short}) nor fails (${fails.short})`;
  }
  const numbers = passes.numbers === fails.numbers ? passes.numbers : `${passes.numbers}${fails.numbers}`;
  return `${nanNote(passes.isUnordered || fails.isUnordered)}neither ${passes.quoted} nor ${fails.quoted} holds${numbers}`;
}

function holds({ compared, quoted, numbers }: Clause, word: "passes" | "fails"): string {
  return `${compared ?? `${quoted} holds${numbers}`}, so it ${word}`;
}

function missed({ compared, value, short, quoted, numbers, isUnordered }: Clause): string {
  const text = compared === undefined ? `${quoted} does not hold${numbers}` : `${value} is not ${short}`;
  return `${nanNote(isUnordered)}${text}`;
}

function nanNote(isUnordered: boolean): string {
  return isUnordered ? "NaN compares false: " : "";
}

type Side = (result: GoValue | undefined) => Clause;

function createSide(side: Threshold["condition"], unit: string | null, condition = ""): Side | undefined {
  if (condition === "") return undefined;
  const { thresholds, isComplete } = thresholdsOf(
    side === "success" ? condition : undefined,
    side === "failure" ? condition : undefined,
  );
  const accessors = [...new Set(thresholds.map(({ accessor }) => accessor))];
  const readers = accessors.map(createReader);
  const only = isComplete && thresholds.length === 1 ? thresholds[0] : undefined;
  // The unit is that of the value itself, not of its length or the like.
  const show = (text: string) => (only !== undefined && isResult(only.accessor) ? showLimit(text, unit) : text);
  const short = only === undefined ? undefined : `${operatorSigns[only.operator]} ${show(only.text)}`;
  return (result) => {
    const values = result === undefined ? [] : readers.map((read) => read(result));
    const value = only === undefined || values[0] === undefined ? undefined : show(values[0]);
    const known = accessors.flatMap((accessor, index) =>
      values[index] === undefined ? [] : [`${accessor} is ${values[index]}`],
    );
    return {
      quoted: `"${condition}"`,
      numbers: known.length === 0 ? "" : ` (${known.join(", ")})`,
      isUnordered: values.includes("NaN"),
      ...(short === undefined ? {} : { short }),
      ...(value === undefined ? {} : { value, compared: `${value} ${short}` }),
    };
  };
}

/** Reads the value that a threshold compares; undefined if it is not a number. */
function createReader(accessor: string): (result: GoValue) => string | undefined {
  const programs = new Map<string, Program>();
  return (result) => {
    try {
      const type = typeName(result);
      const program = programs.get(type) ?? compileProgram(accessor, conditionEnvironment(result));
      programs.set(type, program);
      return numberText(program(result));
    } catch (error) {
      if (isExpressionError(error)) return undefined;
      throw error;
    }
  };
}

function numberText(value: GoValue): string | undefined {
  if (typeof value === "number") return formatGoFloat(value);
  if (typeof value === "bigint") return String(value);
  return value instanceof GoInteger ? String(value.value) : undefined;
}
