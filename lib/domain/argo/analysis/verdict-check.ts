import type { Finding, VerdictCheck } from "#lib/domain/delivery/verdict-check.ts";
import { assessRun, type RunAssessment } from "./assess-run.ts";
import { explainMetric } from "./explain.ts";
import { findHiddenField } from "./judge-measurement.ts";
import { isCutOff, isUnevaluated } from "./measurement-value.ts";
import { isCompleted } from "./phase.ts";
import { prepareRun } from "./reconcile-run.ts";
import { type RecordedMetric, type RecordedRun, replayMetric } from "./replay-metric.ts";
import type { AnalysisRunSpec, MetricResult, MetricSpec } from "./types.ts";

/** Replays a recorded run in one go; see `replayVerdict`. */
export function checkVerdict(run: RecordedRun): VerdictCheck {
  const replay = replayVerdict(run);
  for (;;) {
    const step = replay.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Replays whether the recorded rules on the recorded measurements give the recorded verdict. Metrics that ran dry stay
 * as recorded: they decide nothing. Yields after every measurement, so that a caller can let others work in between.
 */
export function* replayVerdict(run: RecordedRun): Generator<void, VerdictCheck> {
  const prepared = prepareRun(run.spec);
  if ("error" in prepared) return refusedSpec(run, prepared.error);
  const { spec, dryRun } = prepared;
  const recorded = new Map(run.metrics.map((metric) => [metric.name, metric]));
  const isMeasured = run.metrics.some(({ measurements }) => measurements.length > 0);
  if (run.phase === "Error" && !isMeasured && !run.metrics.some(({ phase }) => phase === "Error")) {
    const text = `The run ended before anything was measured: ${run.message || "no reason was recorded"}`;
    return { state: "undecided", findings: [{ kind: "undecided", rule: "spec", text }] };
  }

  const findings: Finding[] = [];
  const results: MetricResult[] = [];
  for (const metric of spec.metrics) {
    const own = recorded.get(metric.name);
    if (own === undefined) continue;
    const hidden = dryRun.has(metric.name) ? undefined : findHidden(metric);
    if (hidden !== undefined) findings.push(hidden);
    const isReplayed = hidden === undefined && !dryRun.has(metric.name);
    const replayed = isReplayed ? yield* replayMetric(metric, own, run.language) : asRecorded(own);
    findings.push(...replayed.findings);
    if (replayed.result !== undefined) results.push({ ...replayed.result, dryRun: dryRun.has(metric.name) });
  }
  const { assessment, isEndedEarly } = settle(spec, results, dryRun);
  findings.push(...compareMetrics(spec, recorded, assessment, dryRun), ...compareRun(run, assessment));
  findings.push(...weakSuccess(run, spec, dryRun));
  const isCut = run.metrics.some(({ name, measurements }) => !dryRun.has(name) && measurements.some(isCutOff));
  return { state: stateOf(findings, isEndedEarly || isCut), findings };
}

/**
 * Checks a refused spec. Controllers differ in what they refuse, so a run that continued nevertheless proves nothing.
 */
function refusedSpec(run: RecordedRun, error: string): VerdictCheck {
  if (run.phase === "Error") return { state: "agrees", findings: [] };
  const text = `The recorded rules are invalid (${error}), so they cannot be replayed.`;
  return { state: "undecided", findings: [{ kind: "undecided", rule: "spec", text }] };
}

function findHidden(metric: MetricSpec): Finding | undefined {
  const field = findHiddenField(metric);
  if (field === undefined) return undefined;
  const text = `Its ${field} contains a secret, which is not stored.`;
  return { kind: "undecided", rule: "secret", metric: metric.name, text };
}

function asRecorded(recorded: RecordedMetric) {
  const { measurements, lost, takenAgain, isInconsistent, ...result } = recorded;
  const isThere = measurements.length > 0 || isCompleted(result.phase);
  return { result: isThere ? { ...result, measurements: measurements.slice(-1) } : undefined, findings: [] };
}

/**
 * Returns the verdict that the counters lead to. One bad metric ends the others at the next reconcile, so assessing
 * repeats until nothing changes. Only a run that is still open after that was ended by `spec.terminate`.
 */
function settle(spec: AnalysisRunSpec, results: readonly MetricResult[], dryRun: ReadonlySet<string>) {
  const open = assessUntilSettled({ spec, results, dryRun, terminate: false });
  if (isCompleted(open.phase) || spec.terminate !== true) return { assessment: open, isEndedEarly: false };
  return { assessment: assessUntilSettled({ spec, results, dryRun, terminate: true }), isEndedEarly: true };
}

function assessUntilSettled(options: {
  spec: AnalysisRunSpec;
  results: readonly MetricResult[];
  dryRun: ReadonlySet<string>;
  terminate: boolean;
}): RunAssessment {
  const { spec, dryRun, terminate } = options;
  let assessment = assessRun({ spec, metricResults: options.results, dryRun, terminate });
  // Bad metrics change their phase first, then those that they end.
  for (let pass = 0; pass < 3 && !isCompleted(assessment.phase); pass++) {
    assessment = assessRun({ spec, metricResults: assessment.metricResults, dryRun, terminate });
  }
  return assessment;
}

function compareMetrics(
  spec: AnalysisRunSpec,
  recorded: ReadonlyMap<string, RecordedMetric>,
  assessment: RunAssessment,
  dryRun: ReadonlySet<string>,
): readonly Finding[] {
  return assessment.metricResults.flatMap((result): Finding[] => {
    const own = recorded.get(result.name);
    if (own === undefined || dryRun.has(result.name) || own.isInconsistent) return [];
    const { phase = "Pending" } = own;
    // Controllers before 1.10 end a run while other metrics are being measured, and leave these as they are.
    if (phase === result.phase || !isCompleted(phase)) return [];
    const metric = spec.metrics.find(({ name }) => name === result.name);
    const text = wordContradiction(metric, result, phase);
    return [{ kind: "contradiction", rule: "metric", metric: result.name, ...resultOf(result.phase), text }];
  });
}

/** Words "5 of 5 rate measurements failed (1 allowed); recorded as Successful." */
function wordContradiction(metric: MetricSpec | undefined, result: MetricResult, recorded: string): string {
  if (metric === undefined || result.phase === "Successful" || !isCompleted(result.phase))
    return `Recorded as ${recorded}, but its measurements give ${result.phase}.`;
  return `${explainMetric({ metric, result }).replace(/\.$/, "")}; recorded as ${recorded}.`;
}

function compareRun(run: RecordedRun, { phase, message }: RunAssessment): readonly Finding[] {
  if (phase === run.phase || run.metrics.some(({ isInconsistent }) => isInconsistent)) return [];
  const why = message === "" ? "" : ` (${message})`;
  const text = isCompleted(phase)
    ? `The run is recorded as ${run.phase}, but its measurements give ${phase}${why}.`
    : `The run is recorded as ${run.phase}, but by its rules it should still be measuring.`;
  return [{ kind: "contradiction", rule: "run", ...resultOf(phase), text }];
}

/** A phase that is not completed is no result. */
function resultOf(phase: RunAssessment["phase"] | undefined): Pick<Finding, "phase"> {
  return phase !== undefined && isCompleted(phase) ? { phase } : {};
}

/** Finds a success that no measurement supports. */
function weakSuccess(run: RecordedRun, spec: AnalysisRunSpec, dryRun: ReadonlySet<string>): readonly Finding[] {
  if (run.phase !== "Successful") return [];
  const rules = new Map(spec.metrics.map((metric) => [metric.name, metric]));
  const counted = run.metrics.filter(({ name }) => !dryRun.has(name));
  const measured = counted.filter((metric) => takenOf(metric) > 0);
  if (measured.length === 0) {
    const text = "Successful, although nothing that counts was measured.";
    return [{ kind: "flag", rule: "nothing-measured", text }];
  }
  return measured.flatMap(({ name, failed = 0, error = 0, measurements, ...counters }): Finding[] => {
    const taken = takenOf({ error, ...counters });
    const passed = measurements.filter(({ phase }) => phase === "Successful");
    const cutOff = passed.filter(isCutOff).length;
    const unevaluated = passed.filter((one) => isUnevaluated(rules.get(name) ?? {}, one)).length;
    if (failed + error + cutOff + unevaluated < taken) return [];
    const what = [
      failed > 0 ? `${failed} failed` : "",
      error > 0 ? `${error} in error` : "",
      cutOff > 0 ? `${cutOff} ended before a result` : "",
      unevaluated > 0 ? `${unevaluated} accepted without being evaluated` : "",
    ].filter(Boolean);
    const text = `Successful, although none of ${taken} measurements was: ${what.join(", ")}.`;
    return [{ kind: "flag", rule: "no-success", metric: name, text }];
  });
}

function takenOf({ count = 0, error = 0 }: Pick<RecordedMetric, "count" | "error">): number {
  return count + error;
}

function stateOf(findings: readonly Finding[], isEndedEarly: boolean): VerdictCheck["state"] {
  if (findings.some(({ kind }) => kind === "contradiction")) return "contradicts";
  if (findings.some(({ kind }) => kind === "undecided")) return "undecided";
  return isEndedEarly ? "ended-early" : "agrees";
}
