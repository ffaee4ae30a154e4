import type { Finding } from "#lib/domain/delivery/verdict-check.ts";
import type { Language } from "#lib/expr/language.ts";
import { endSentence } from "#lib/util/words.ts";
import { assessMetric } from "./assess-metric.ts";
import { applyMeasurement } from "./counters.ts";
import { coarse, createReasons } from "./explain-measurement.ts";
import { createMeasurementJudge, type Judgement } from "./judge-measurement.ts";
import { isCompleted } from "./phase.ts";
import type { AnalysisPhase, AnalysisRunSpec, Measurement, MetricResult, MetricSpec } from "./types.ts";

/** A measurement as it was stored, with its number. `isAltered`: the stored text is not the one that was received. */
export type RecordedMeasurement = Measurement & { readonly seq: number; readonly isAltered?: boolean };

/** A metric's counters as the controller last wrote them, and its measurements in the order of their numbers. */
export type RecordedMetric = Omit<MetricResult, "measurements"> & {
  readonly measurements: readonly RecordedMeasurement[];
  /** Measurements that are known to be missing. */
  readonly lost: number;
  /** Measurements that the controller retook; they are not among `measurements`. */
  readonly takenAgain?: number;
  /** Counters and list contradicted each other when they were recorded. */
  readonly isInconsistent: boolean;
};

/** A run that has ended. `spec` as stored: secrets redacted, arguments not yet filled in. */
export type RecordedRun = {
  readonly spec: AnalysisRunSpec;
  readonly phase: AnalysisPhase;
  readonly message: string;
  readonly metrics: readonly RecordedMetric[];
  /** Of the controller that made the run; absent if its version was not recorded. */
  readonly language?: Language;
};

/** `result` represents the metric in the replay of its run: counters, and only the last measurement. */
export type ReplayedMetric = { readonly result: MetricResult | undefined; readonly findings: readonly Finding[] };

/** At most this many measurements with the same problem are reported individually. */
const maxPerRule = 5;

/**
 * Replays the measurements of one metric under its rules, whose arguments must be resolved: the conditions' outcome for
 * every value, and the resulting counters. If measurements are missing, the recorded counters are used instead. Yields
 * after every measurement, so that the caller can rest or give up. Without the controller's `language`, a value that
 * the languages judge differently is undecided.
 */
export function* replayMetric(
  metric: MetricSpec,
  recorded: RecordedMetric,
  language?: Language,
): Generator<void, ReplayedMetric> {
  const findings = new Findings(metric.name);
  const judge = createMeasurementJudge(metric, language);
  const say = createReasons(metric);
  const counted = { name: metric.name };
  let byRules: MetricResult = counted;
  let byRecord: MetricResult = counted;
  const isWhole = isComplete(recorded);
  const last = recorded.measurements.at(-1);
  for (const measurement of recorded.measurements) {
    if (!isCompleted(measurement.phase)) {
      byRules = applyMeasurement(alone(byRules), measurement);
      byRecord = applyMeasurement(alone(byRecord), measurement);
      continue;
    }
    const judgement = judgeStored(judge, measurement);
    const phase = judgement.state === "undecided" ? measurement.phase : judgement.phase;
    if (judgement.state === "undecided") findings.addUndecided(judgement, measurement.seq);
    else if (phase !== measurement.phase) {
      findings.add("contradiction", "measurement", {
        seq: measurement.seq,
        text: `No. ${measurement.seq} is recorded as ${measurement.phase}, but the rules give ${phase}: ${say(phase, judgement)}.`,
      });
    }
    byRules = applyMeasurement(alone(byRules), { ...measurement, phase });
    byRecord = applyMeasurement(alone(byRecord), measurement);
    if (isWhole && measurement !== last) noteWentOn({ metric, result: byRules, measurement, findings });
    yield;
  }
  if (!isWhole) {
    findings.addMissing(recorded);
    return { result: fromCounters(recorded), findings: findings.list() };
  }
  noteCounters(recorded, byRecord, findings);
  return { result: hasResult(recorded) ? byRules : undefined, findings: findings.list() };
}

/**
 * Keeps only the last measurement. A result that grows one measurement at a time does not need the earlier ones:
 * counters outlive the list.
 */
function alone(result: MetricResult): MetricResult {
  return { ...result, measurements: [] };
}

function judgeStored(
  judge: (measurement: RecordedMeasurement) => Judgement,
  measurement: RecordedMeasurement,
): Judgement {
  if (measurement.isAltered === true) {
    return { state: "undecided", rule: "value", reason: "it contains characters that were escaped for storage" };
  }
  const judgement = judge(measurement);
  const isVague = judgement.state === "judged" && !judgement.isSure && judgement.phase !== measurement.phase;
  return isVague ? { state: "undecided", rule: "value", reason: coarse } : judgement;
}

/** Returns whether every finished measurement is stored, in an undisturbed order. */
function isComplete(recorded: RecordedMetric): boolean {
  const finished = recorded.measurements.filter(({ phase }) => isCompleted(phase));
  if (recorded.isInconsistent || recorded.lost > 0) return false;
  return finished.every(({ seq }, index) => seq === index + 1) && finished.length >= takenOf(recorded);
}

function takenOf({ count = 0, error = 0 }: RecordedMetric): number {
  return count + error;
}

function hasResult(recorded: RecordedMetric): boolean {
  return recorded.measurements.length > 0 || isCompleted(recorded.phase);
}

function fromCounters(recorded: RecordedMetric): MetricResult {
  const { measurements, lost, takenAgain, isInconsistent, phase, message, ...counters } = recorded;
  const last = measurements.at(-1);
  // A measurement that we deleted because of its age had ended nevertheless.
  return { ...counters, measurements: [last ?? { phase: "Successful" }] };
}

function noteWentOn(options: {
  metric: MetricSpec;
  result: MetricResult;
  measurement: RecordedMeasurement;
  findings: Findings;
}): void {
  const { metric, result, measurement, findings } = options;
  const { phase, message } = assessMetric({ metric, result, terminating: false });
  if (!isCompleted(phase) || findings.has("went-on")) return;
  const why = message === undefined ? "" : ` (${message})`;
  findings.add("contradiction", "went-on", {
    seq: measurement.seq,
    text: `No. ${measurement.seq} ends the metric as ${phase}${why}, but measuring continued.`,
  });
}

const counters = ["count", "successful", "failed", "inconclusive", "error", "consecutiveError"] as const;

function noteCounters(recorded: RecordedMetric, counted: MetricResult, findings: Findings): void {
  const wrong = counters.filter((name) => (recorded[name] ?? 0) !== (counted[name] ?? 0));
  if (wrong.length === 0) return;
  const texts = wrong.map((name) => `${name} is ${recorded[name] ?? 0}, counted ${counted[name] ?? 0}`);
  const { takenAgain = 0 } = recorded;
  if (takenAgain > 0) {
    const which = takenAgain === 1 ? "1 measurement" : `${takenAgain} measurements`;
    findings.add("undecided", "order", {
      text: `The controller retook ${which}. The counters may include either version: ${texts.join("; ")}.`,
    });
    return;
  }
  findings.add("contradiction", "counters", {
    text: `The counters do not match the measurements: ${texts.join("; ")}.`,
  });
}

/** Findings of one metric; repeated ones are cut short. */
class Findings {
  readonly #metric: string;
  readonly #list: Finding[] = [];
  readonly #more = new Map<string, number>();
  readonly #seen = new Map<string, number>();

  constructor(metric: string) {
    this.#metric = metric;
  }

  add(kind: Finding["kind"], rule: Finding["rule"], { seq, text }: { seq?: number; text: string }): void {
    const seen = (this.#seen.get(rule) ?? 0) + 1;
    this.#seen.set(rule, seen);
    if (seen > maxPerRule) this.#more.set(rule, seen - maxPerRule);
    else this.#list.push({ kind, rule, metric: this.#metric, ...(seq === undefined ? {} : { seq }), text });
  }

  has(rule: Finding["rule"]): boolean {
    return this.#seen.has(rule);
  }

  /** A provider that decides by itself is one finding, not one per measurement. */
  addUndecided({ rule, reason }: Extract<Judgement, { state: "undecided" }>, seq: number): void {
    if (rule !== "provider") {
      this.add("undecided", rule, { seq, text: endSentence(`No. ${seq} cannot be evaluated again: ${reason}`) });
    } else if (!this.#seen.has(rule)) {
      this.add("undecided", rule, { text: endSentence(`Its measurements cannot be evaluated again: ${reason}`) });
    }
  }

  addMissing(recorded: RecordedMetric): void {
    if (recorded.isInconsistent) {
      const text = "The controller's counters and its list of measurements disagree.";
      this.add("undecided", "order", { text });
      return;
    }
    const finished = recorded.measurements.filter(({ phase }) => isCompleted(phase)).length;
    const missing = Math.max(takenOf(recorded) - finished, recorded.lost);
    const what = missing === 1 ? "1 measurement is" : `${missing} measurements are`;
    this.add("undecided", "gap", { text: `${what} missing; the recorded counters replace them.` });
  }

  list(): readonly Finding[] {
    return this.#list.map((finding) => {
      const more = this.#more.get(finding.rule);
      const isLast = this.#list.findLast(({ rule }) => rule === finding.rule) === finding;
      return more !== undefined && isLast ? { ...finding, text: `${finding.text} And ${more} more like it.` } : finding;
    });
  }
}
