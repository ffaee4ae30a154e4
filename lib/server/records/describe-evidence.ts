import type { MetricEvidence } from "#lib/contract/evidence.ts";
import { type Conditions, type ExplainingProvider, isResult } from "#lib/domain/delivery/explaining.ts";
import type { ConfiguredUnits } from "#lib/domain/units/find-unit.ts";
import { operatorSigns, showLimit, withoutBrackets } from "#lib/domain/units/show-value.ts";
import { type Ruled, summarizeMetric, unitOf } from "#lib/server/records/describe-metric.ts";
import type { CounterRow } from "#lib/server/records/metric-rows.ts";
import type { NewestValues } from "#lib/server/records/read-newest-values.ts";
import { asPhase } from "#lib/server/records/run-row.ts";
import { cutText } from "#lib/util/text.ts";

type EvidenceSource = Ruled & {
  metric: CounterRow;
  /** The conditions of its rules, with arguments filled in. */
  conditions: Conditions | undefined;
  /** Finds the limits that conditions draw. */
  draw: ExplainingProvider["drawConditions"];
  units: ConfiguredUnits;
  /** Undefined until the first value. */
  values: Pick<NewestValues, "numbers" | "last" | "last_phase" | "metadata"> | undefined;
};

/** Puts one metric on one line: its newest values next to the rules that judge them. */
export function describeEvidence({
  metric,
  rules,
  defaults,
  conditions,
  draw,
  units,
  values,
}: EvidenceSource): MetricEvidence {
  const success = conditions?.successCondition ?? rules?.successCondition ?? null;
  const failure = conditions?.failureCondition ?? rules?.failureCondition ?? null;
  const unit = unitOf(metric, rules, units);
  const { thresholds } = draw({ successCondition: success ?? undefined, failureCondition: failure ?? undefined });
  return {
    runUid: metric.run_uid,
    metric: metric.name,
    phase: asPhase(metric.phase),
    values: values?.numbers ?? [],
    last: values?.last == null ? null : withoutBrackets(values.last),
    unit,
    lastPhase: values?.last_phase == null ? null : asPhase(values.last_phase),
    ...(values?.metadata == null ? {} : { metadata: cutTexts(values.metadata) }),
    condition: success ?? failure,
    pass: wordCondition(success, draw, unit),
    fail: wordCondition(failure, draw, unit),
    thresholds: thresholds.map(({ condition, value, inclusive, region }) => ({ condition, value, inclusive, region })),
    limit: limitOf(metric, { rules, defaults }),
    summary: summarizeMetric({ counters: metric, rules, defaults }),
  };
}

/** In characters. The page of the run has the whole text. */
const longestText = 500;

function cutTexts(texts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, cutText(text, longestText)]));
}

/** Returns the limit if a condition is one comparison of the result; any other is shown as a whole. */
function wordCondition(condition: string | null, draw: EvidenceSource["draw"], unit: string | null): string | null {
  if (condition === null || condition.trim() === "") return null;
  const { thresholds, isComplete } = draw({ successCondition: condition });
  const [only] = thresholds;
  if (!isComplete || only === undefined || thresholds.length !== 1 || !isResult(only.accessor)) return condition;
  return `${operatorSigns[only.operator]} ${showLimit(only.text, unit)}`;
}

function limitOf(metric: CounterRow, ruled: Ruled): MetricEvidence["limit"] {
  const found = findLimit(metric, ruled);
  // A negative limit means none.
  return found !== null && Number(found.limit) < 0 ? null : found;
}

function findLimit(metric: CounterRow, { rules, defaults }: Ruled): MetricEvidence["limit"] {
  switch (metric.phase) {
    case "Inconclusive":
      return {
        what: "inconclusive",
        used: metric.inconclusive,
        limit: rules?.inconclusiveLimit ?? defaults.inconclusive,
      };
    case "Failed":
      return { what: "failed", used: metric.failed, limit: rules?.failureLimit ?? defaults.failure };
    case "Error":
      return {
        what: "errors in a row",
        used: metric.consecutive_error,
        limit: rules?.consecutiveErrorLimit ?? defaults.consecutiveError,
      };
    default:
      return null;
  }
}
