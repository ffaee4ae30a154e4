import { createMeasurementJudge, findHiddenField, isSelfJudging } from "#lib/domain/argo/analysis/judge-measurement.ts";
import type { AnalysisPhase, Measurement, MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import type { ReplayedMeasurement, Undecided } from "#lib/domain/delivery/backtest.ts";
import type { Language } from "#lib/expr/language.ts";
import { endSentence } from "#lib/util/words.ts";

/** The phase of a recorded measurement under some rules, or why the record does not tell it. */
export type PhaseReader = (measurement: ReplayedMeasurement) => AnalysisPhase | Undecided;

/** Returns whether both have the same conditions; a provider that decides by itself does not use them. */
export function hasSameConditions(one: MetricSpec, other: MetricSpec): boolean {
  if (isSelfJudging(one)) return true;
  const { successCondition = "", failureCondition = "" } = one;
  return successCondition === (other.successCondition ?? "") && failureCondition === (other.failureCondition ?? "");
}

/**
 * Reads phases under the conditions of `metric`, whose arguments are filled in. If these are the recorded ones, the
 * recorded phase counts wherever a value cannot be evaluated again. Without a `language`, so does a value that the
 * languages judge differently.
 */
export function createPhaseReader(metric: MetricSpec, recorded: MetricSpec, language?: Language): PhaseReader {
  if (isSelfJudging(metric)) return ({ phase }) => phase;
  const isSame = hasSameConditions(metric, recorded);
  const hidden = findHiddenField(metric);
  if (hidden === "successCondition" || hidden === "failureCondition") {
    if (isSame) return ({ phase }) => phase;
    return ({ seq }) => ({ code: "secret", seq, text: `The ${hidden} contains a secret, which is not stored.` });
  }
  const judge = createMeasurementJudge(metric, language);
  const asksForTime = /\bnow\s*\(/.test(`${metric.successCondition} ${metric.failureCondition}`);
  const prepare = asksForTime ? withTime : withoutTime;
  return (measurement) => {
    const { phase, seq } = measurement;
    if (measurement.isAltered === true) {
      return isSame ? phase : unknownValue(seq, "it contains characters that were escaped for storage");
    }
    if (!isSame && isConditionError(measurement)) return unknownValue(seq, "it was not recorded with the error");
    const judgement = judge(prepare(measurement));
    switch (judgement.state) {
      case "given":
        return judgement.phase;
      case "undecided":
        if (isSame) return phase;
        if (judgement.rule === "value") return unknownValue(seq, judgement.reason);
        return { code: "expression", seq, text: endSentence(`No. ${seq} cannot be evaluated: ${judgement.reason}`) };
      case "judged":
        if (judgement.isSure) return judgement.phase;
        if (isSame) return phase;
        return unknownValue(seq, coarse);
    }
  };
}

const coarse = "the recorded value is too coarse, or the condition uses the time";

function unknownValue(seq: number, reason: string): Undecided {
  return { code: "value", seq, text: endSentence(`The value of no. ${seq} cannot be recovered: ${reason}`) };
}

/** Returns whether a condition, and not the source, failed: then the value exists, but was not recorded. */
function isConditionError({ phase, value = "", message = "" }: ReplayedMeasurement): boolean {
  return phase === "Error" && value === "" && message.startsWith("could not evaluate ");
}

function withoutTime({ phase, value }: ReplayedMeasurement): Measurement {
  return value === undefined ? { phase } : { phase, value };
}

function withTime(measurement: ReplayedMeasurement): Measurement {
  const { finishedAt } = measurement;
  if (finishedAt === undefined) return withoutTime(measurement);
  return { ...withoutTime(measurement), finishedAt: new Date(finishedAt).toISOString() };
}
