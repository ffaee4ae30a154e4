import { assessMetric, metricFailureReason } from "./assess-metric.ts";
import { dryRunMetrics } from "./metric-name-rules.ts";
import { isCompleted, isTerminating, isWorsePhase } from "./phase.ts";
import type { AnalysisPhase, AnalysisRunSpec, MetricResult, MetricSpec, RunSummary } from "./types.ts";

export type RunAssessment = {
  readonly phase: AnalysisPhase;
  readonly message: string;
  /** Phase and message of every metric that has a result, by name. */
  readonly metrics: Readonly<Record<string, { readonly phase: AnalysisPhase; readonly message?: string }>>;
  /** The results with updated phase and message, in their old order. */
  readonly metricResults: readonly MetricResult[];
  /** Both count metrics, not measurements. */
  readonly runSummary: RunSummary;
  readonly dryRunSummary: RunSummary;
};

/**
 * Returns the verdict over a run: Running until every metric is complete, then the worst phase of those that are not
 * dry runs. Metrics must have their arguments resolved. `terminate` overrides `spec.terminate`; `dryRun` overrides the
 * rules of the spec. Rules that match nothing give phase Error with upstream's text, as a reconcile would. Mirrors
 * argo-rollouts analysis/analysis.go `assessRunStatus`. The summaries consider only broken limits, so a metric that
 * ended Failed or Inconclusive at its `count` is counted as successful there.
 */
export function assessRun(input: {
  readonly spec: AnalysisRunSpec;
  readonly metricResults: readonly MetricResult[];
  readonly terminate?: boolean;
  readonly dryRun?: ReadonlySet<string>;
}): RunAssessment {
  const { spec, metricResults } = input;
  const terminate = input.terminate ?? spec.terminate ?? false;
  const dryRun = dryRunNames(input);
  if (typeof dryRun === "string") return invalidRun(metricResults, `Analysis spec invalid: ${dryRun}`);

  const terminating = isTerminating({ terminate }, metricResults);
  const results = new Map(metricResults.map((result) => [result.name, result]));
  const tally = new Tally(terminate ? "Run Terminated" : "");
  for (const metric of spec.metrics) {
    const isDryRun = dryRun.has(metric.name);
    tally.expect(isDryRun);
    const result = results.get(metric.name);
    if (result === undefined) tally.pending();
    else results.set(metric.name, tally.add({ metric, result: updateResult(metric, result, terminating), isDryRun }));
  }
  const updated = metricResults.map((result) => results.get(result.name) ?? result);
  return { ...tally.verdict(terminating), ...metricViews(updated), ...tally.summaries() };
}

function dryRunNames(input: Parameters<typeof assessRun>[0]): ReadonlySet<string> | string {
  if (input.dryRun !== undefined) return input.dryRun;
  const rules = dryRunMetrics(input.spec.dryRun, input.spec.metrics);
  return "error" in rules ? rules.error : new Set(rules.matched.keys());
}

function invalidRun(metricResults: readonly MetricResult[], message: string): RunAssessment {
  const none: RunSummary = { count: 0, successful: 0, failed: 0, inconclusive: 0, error: 0 };
  return { phase: "Error", message, ...metricViews(metricResults), runSummary: none, dryRunSummary: none };
}

/** Updates the result. A changed phase takes the last measurement's message, which replaces the previous one. */
function updateResult(metric: MetricSpec, result: MetricResult, terminating: boolean): MetricResult {
  const { phase } = assessMetric({ metric, result, terminating });
  if (phase === result.phase) return result;
  const last = result.measurements?.at(-1);
  return { ...result, phase, message: last === undefined ? result.message : last.message };
}

function metricViews(results: readonly MetricResult[]): Pick<RunAssessment, "metrics" | "metricResults"> {
  const views = results.flatMap(({ name, phase, message }) => {
    if (phase === undefined) return [];
    return [[name, message === undefined || message === "" ? { phase } : { phase, message }] as const];
  });
  return { metrics: Object.fromEntries(views), metricResults: results };
}

class Tally {
  #message: string;
  #worst: AnalysisPhase | undefined;
  #everythingCompleted = true;
  readonly #run = { count: 0, successful: 0, failed: 0, inconclusive: 0, error: 0 };
  readonly #dryRun = { count: 0, successful: 0, failed: 0, inconclusive: 0, error: 0 };

  constructor(message: string) {
    this.#message = message;
  }

  expect(isDryRun: boolean): void {
    (isDryRun ? this.#dryRun : this.#run).count++;
  }

  pending(): void {
    this.#everythingCompleted = false;
  }

  /** Counts one result whose phase is already assessed; the returned result carries a dry run's own message. */
  add(input: { readonly metric: MetricSpec; readonly result: MetricResult; readonly isDryRun: boolean }): MetricResult {
    const { metric, result, isDryRun } = input;
    const phase = result.phase;
    if (phase === undefined || !isCompleted(phase)) {
      this.pending();
      return result;
    }
    const reason = metricFailureReason(metric, result);
    countPhase(isDryRun ? this.#dryRun : this.#run, reason?.phase);
    if (isDryRun) {
      this.#worst ??= "Successful";
      return reason === undefined
        ? result
        : { ...result, message: `Metric assessed ${phase} due to ${reason.message}` };
    }
    if (this.#worst === undefined || isWorsePhase(this.#worst, phase)) {
      this.#worst = phase;
      if (reason !== undefined) this.#message = runMessage({ metric, result, phase, reason: reason.message });
    }
    return result;
  }

  verdict(terminating: boolean): { phase: AnalysisPhase; message: string } {
    const message = this.#message.trim();
    if (terminating) return { phase: this.#worst ?? "Successful", message };
    if (!this.#everythingCompleted || this.#worst === undefined) return { phase: "Running", message: "" };
    return { phase: this.#worst, message };
  }

  summaries(): { runSummary: RunSummary; dryRunSummary: RunSummary } {
    return { runSummary: { ...this.#run }, dryRunSummary: { ...this.#dryRun } };
  }
}

function countPhase(
  summary: { successful: number; failed: number; inconclusive: number; error: number },
  phase: AnalysisPhase | undefined,
): void {
  if (phase === "Error") summary.error++;
  else if (phase === "Failed") summary.failed++;
  else if (phase === "Inconclusive") summary.inconclusive++;
  else summary.successful++;
}

function runMessage(input: {
  readonly metric: MetricSpec;
  readonly result: MetricResult;
  readonly phase: AnalysisPhase;
  readonly reason: string;
}): string {
  const verdict = `Metric "${input.metric.name}" assessed ${input.phase} due to ${input.reason}`;
  const detail = input.result.message ?? "";
  return detail === "" ? verdict : `${verdict}: "Error Message: ${detail}"`;
}
