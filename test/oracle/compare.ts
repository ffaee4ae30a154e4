import { evaluateResult } from "#lib/domain/argo/analysis/evaluate-result.ts";
import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import type { RecordedMetric } from "#lib/domain/argo/analysis/replay-metric.ts";
import type { AnalysisRunStatus, MetricResult } from "#lib/domain/argo/analysis/types.ts";
import { checkVerdict } from "#lib/domain/argo/analysis/verdict-check.ts";
import type { Language } from "#lib/expr/language.ts";
import type { ConditionCase } from "./generate-conditions.ts";
import type { RunCase } from "./generate-runs.ts";
import { simulateRun } from "./simulate-run.ts";

export type Difference = { id: number; text: string };
export type ConditionAnswer = { id: number; phase: string; err?: string };
export type RunAnswer = { id: number; run?: { status?: AnalysisRunStatus } };

/** Go's map order is another one each time: nothing that depends on it can be compared. */
const anyOrder = /\b(?:keys|values|toPairs|groupBy)\s*\(/;

/** Compares the phase of each condition with the answer of a controller whose conditions are in this language. */
export function compareConditions(
  cases: readonly ConditionCase[],
  answers: ReadonlyMap<number, ConditionAnswer>,
  language: Language,
): Difference[] {
  return cases.flatMap(({ id, type, value, success, failure }) => {
    if (anyOrder.test(`${success} ${failure}`)) return [];
    const answer = answers.get(id);
    const own = evaluateResult({
      language,
      result: { type, value },
      ...(success === "" ? {} : { successCondition: success }),
      ...(failure === "" ? {} : { failureCondition: failure }),
    });
    if (answer?.phase === own.phase) return [];
    const asked = JSON.stringify({ type, value, success, failure });
    return [
      { id, text: `${asked}: ${answer?.phase} (${answer?.err ?? ""}), ours ${own.phase} (${own.message ?? ""})` },
    ];
  });
}

/** Compares how each run ended, with its metrics and measurements, but for the texts of errors in conditions. */
export function compareRuns(
  cases: readonly RunCase[],
  answers: ReadonlyMap<number, RunAnswer>,
  language: Language,
): Difference[] {
  return cases.flatMap((one) => {
    const theirs = JSON.stringify(comparable(answers.get(one.id)?.run?.status ?? {}));
    const ours = JSON.stringify(comparable(simulateRun(one, language)));
    if (theirs === ours) return [];
    return [{ id: one.id, text: `${JSON.stringify(one)}\n  theirs ${theirs}\n  ours   ${ours}` }];
  });
}

/** Metrics are measured side by side, so their order says nothing. What Go leaves out is left out. */
function comparable(status: AnalysisRunStatus): unknown {
  const metricResults = (status.metricResults ?? []).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return withoutEmpty({ ...status, metricResults });
}

/** Checks the verdict of each run that ended as if it had been recorded: none contradicts the controller's. */
export function checkVerdicts(
  cases: readonly RunCase[],
  answers: ReadonlyMap<number, RunAnswer>,
  language: Language,
): Difference[] {
  return cases.flatMap((one) => {
    // A provider that decides by itself is no Prometheus, whose measurements are checked.
    if (Object.values(one.script).some((steps) => steps.some((step) => step.phase !== undefined))) return [];
    const { phase, message = "", metricResults = [] } = answers.get(one.id)?.run?.status ?? {};
    if (phase === undefined || !isCompleted(phase)) return [];
    const spec = { ...one.spec, ...(message === "Run Terminated" ? { terminate: true } : {}) };
    const check = checkVerdict({ spec, phase, message, metrics: metricResults.map(toRecorded), language });
    if (check.state !== "contradicts") return [];
    return [{ id: one.id, text: `${JSON.stringify(one)}\n  ${JSON.stringify({ phase, message, check })}` }];
  });
}

/** The recorder keeps what the controller trims: here it is lost. */
function toRecorded(result: MetricResult): RecordedMetric {
  const finished = (result.measurements ?? []).filter(({ phase }) => isCompleted(phase));
  const lost = Math.max(0, (result.count ?? 0) + (result.error ?? 0) - finished.length);
  const measurements = finished.map((measurement, index) => ({ ...measurement, seq: lost + index + 1 }));
  return { ...result, measurements, lost, isInconsistent: false };
}

function withoutEmpty(value: unknown, key = ""): unknown {
  if (
    key === "metadata" ||
    (typeof value === "string" && /could not evaluate|invalid operation|reflect: |index out of range/.test(value))
  )
    return undefined;
  if (Array.isArray(value)) return value.map((item) => withoutEmpty(item));
  if (typeof value !== "object" || value === null)
    return value === "" || value === 0 || value === false ? undefined : value;
  const fields = Object.entries(value)
    .map(([name, item]) => [name, withoutEmpty(item, name)] as const)
    .filter(
      ([, item]) =>
        item !== undefined && !(typeof item === "object" && item !== null && Object.keys(item).length === 0),
    )
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields);
}
