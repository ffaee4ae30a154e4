import { evaluateResult } from "#lib/domain/argo/analysis/evaluate-result.ts";
import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import { type Measure, reconcileRun } from "#lib/domain/argo/analysis/reconcile-run.ts";
import type { AnalysisPhase, AnalysisRunStatus, Measurement, MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import { formatGoFloat } from "#lib/expr/go-number.ts";
import { type Language, newestLanguage } from "#lib/expr/language.ts";
import type { RunCase, ScriptStep } from "./generate-runs.ts";

const startMs = Date.UTC(2026, 2, 1, 10);
const hourMs = 3_600_000;

/** Plays a run as go/sim/main.go does with the real controller: it reconciles, and once more after each change. */
export function simulateRun({ spec: given, script, terminate, max }: RunCase, language: Language): AnalysisRunStatus {
  const measure = createProvider(script, language);
  let spec = given;
  let status: AnalysisRunStatus = {};
  let now = startMs;
  for (let round = 0; round < max; round += 1) {
    if (terminate > 0 && (now - startMs) / 1000 >= terminate) spec = { ...spec, terminate: true };
    const reconcile = () => reconcileRun({ spec, status, now, measure: (task) => measure(task, now) });
    let step = reconcile();
    status = step.status;
    if (isCompleted(status.phase)) break;
    step = reconcile();
    status = step.status;
    if (isCompleted(status.phase)) break;
    if (step.nextAt === undefined && terminate === 0) break;
    let next = step.nextAt === undefined ? now + hourMs : step.nextAt + 1000;
    const endMs = startMs + terminate * 1000;
    if (terminate > 0 && spec.terminate !== true && endMs < next && endMs > now) next = endMs;
    now = next > now ? next : now + 1000;
  }
  return status;
}

function createProvider(
  script: RunCase["script"],
  language: Language,
): (task: Parameters<Measure>[0], now: number) => Measurement {
  const finish = (finished: Omit<Finished, "language">) => finishMeasurement({ ...finished, language });
  const places = new Map<string, number>();
  const flying = new Map<string, ScriptStep>();
  return ({ metric, inFlight, terminating }, now) => {
    const at = formatTime(now);
    // Controllers before 1.10 end a run without waiting for measurements in flight.
    if (inFlight !== undefined && terminating && language !== newestLanguage && isAhead(inFlight, now)) return inFlight;
    if (inFlight !== undefined && terminating)
      return { phase: "Successful", startedAt: inFlight.startedAt ?? at, finishedAt: at };
    if (inFlight !== undefined) return finish({ metric, step: flying.get(metric.name) ?? {}, at, from: inFlight });
    const steps = script[metric.name] ?? [];
    const place = places.get(metric.name) ?? 0;
    const step = steps[place % Math.max(steps.length, 1)] ?? { v: [1] };
    places.set(metric.name, place + 1);
    if (step.delay === undefined || step.delay <= 0) return finish({ metric, step, at, from: { startedAt: at } });
    flying.set(metric.name, step);
    return { phase: "Running", startedAt: at, resumeAt: formatTime(now + step.delay * 1000) };
  };
}

type Finished = {
  metric: MetricSpec;
  step: ScriptStep;
  at: string;
  from: Pick<Measurement, "startedAt">;
  language: Language;
};

function finishMeasurement({ metric, step, at, from: { startedAt = at }, language }: Finished): Measurement {
  const times = { startedAt, finishedAt: at };
  if (step.err !== undefined && step.err !== "") return { phase: "Error", message: step.err, ...times };
  if (step.phase !== undefined) return { phase: step.phase as AnalysisPhase, message: step.msg ?? "", ...times };
  const value = step.v ?? [];
  const { successCondition, failureCondition } = metric;
  const { phase, message, error } = evaluateResult({
    language,
    result: { type: "[]float64", value },
    ...(successCondition === undefined ? {} : { successCondition }),
    ...(failureCondition === undefined ? {} : { failureCondition }),
  });
  // Controllers before 1.10 write the engine's own text.
  if (phase === "Error")
    return { phase, message: (language === newestLanguage ? message : error?.text) ?? "", ...times };
  const text = value.map((each) => (typeof each === "number" ? formatGoFloat(each) : each));
  return { phase, value: `[${text.join(",")}]`, ...times };
}

const isAhead = ({ resumeAt }: Measurement, now: number): boolean =>
  resumeAt !== undefined && Date.parse(resumeAt) > now;

function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
