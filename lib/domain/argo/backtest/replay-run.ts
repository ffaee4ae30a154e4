import { findHiddenField } from "#lib/domain/argo/analysis/judge-measurement.ts";
import { prepareRun } from "#lib/domain/argo/analysis/reconcile-run.ts";
import type { AnalysisRunSpec, MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import type {
  FirstDifference,
  Proposal,
  ReplayedMeasurement,
  RunBacktest,
  RunReplay,
  RunToReplay,
  Undecided,
} from "#lib/domain/delivery/backtest.ts";
import { type EndedPhase, endedPhases } from "#lib/domain/delivery/run-phase.ts";
import { placeMeasurement, type Taken, wouldMeasureBefore } from "./cadence.ts";
import {
  type Course,
  finishCourse,
  isCourseSettled,
  loseCourse,
  startCourse,
  type Tally,
  takeKnown,
  takeUnknown,
} from "./course.ts";
import { judgeOutcome, type RunContext } from "./judge-run.ts";
import { createPhaseReader, hasSameConditions, type PhaseReader } from "./phase-reader.ts";
import { findInvalidRules, proposeMetric } from "./propose-metric.ts";

type State = {
  /** Of the last measurement that was added. */
  lastSeq: number;
  measurements: number;
  recorded: Course;
  proposed: Course;
  taken: Taken | undefined;
  difference: FirstDifference | undefined;
};

/**
 * Replays one metric of a recorded run twice, measurement by measurement: under its recorded rules and under the
 * proposal. What the record says after the proposal has ended the metric is ignored.
 */
export function replayRun(input: { run: RunToReplay; metric: string; proposal: Proposal; state?: unknown }): RunReplay {
  const { run, metric: name } = input;
  // The rules were made by `readRules`.
  const prepared = prepareRun(run.rules as AnalysisRunSpec);
  if ("error" in prepared) return brokenReplay(`The recorded rules cannot be replayed: ${prepared.error}.`);
  const recorded = prepared.spec.metrics.find((each) => each.name === name);
  if (recorded === undefined) return brokenReplay(`The recorded rules have no metric ${name}.`);
  const proposed = prepareProposed(run.rules as AnalysisRunSpec, name, input.proposal);
  if (typeof proposed === "string") return brokenReplay(`With the proposal the rules are invalid: ${proposed}.`);

  const own = run.metrics.find((each) => each.name === name);
  const isSame = hasSameConditions(proposed, recorded);
  const state = (input.state as State | undefined) ?? startState(name, own, isSame);
  const hiddenLimit = findHiddenLimit(recorded) ?? findHiddenLimit(proposed);
  if (hiddenLimit !== undefined) loseBoth(state, secretIn(hiddenLimit));
  if (own?.isInconsistent === true) loseBoth(state, disordered);
  const replay = new Replay({ run, recorded, proposed, state, taken: (own?.count ?? 0) + (own?.error ?? 0) });
  const isDryRun = prepared.dryRun.has(name);
  const others = prepared.spec.metrics.flatMap((metric) => {
    if (metric.name === name || prepared.dryRun.has(metric.name)) return [];
    return [{ metric, recorded: run.metrics.find((each) => each.name === metric.name) }];
  });
  return {
    add: (measurement) => replay.add(measurement),
    isSettled: () => replay.isSettled(),
    state,
    finish: () => {
      replay.finish();
      const { phase, isTerminated } = run;
      return summarize(state, { phase, isTerminated, isDryRun, own, lastSeq: state.lastSeq, others });
    },
  };
}

/** Returns the metric with the proposal and its arguments filled in, or why the controller would refuse it. */
function prepareProposed(spec: AnalysisRunSpec, name: string, proposal: Proposal): MetricSpec | string {
  const metrics = spec.metrics.map((metric) => (metric.name === name ? proposeMetric(metric, proposal) : metric));
  const prepared = prepareRun({ ...spec, metrics });
  if ("error" in prepared) return prepared.error;
  const proposed = prepared.spec.metrics.find((each) => each.name === name);
  return proposed === undefined ? `there is no metric ${name}` : (findInvalidRules(proposed) ?? proposed);
}

function startState(name: string, own: RunToReplay["metrics"][number] | undefined, isSame: boolean): State {
  const missing = own === undefined ? undefined : missingOf(own);
  return {
    lastSeq: 0,
    measurements: 0,
    recorded: startCourse(name, missing),
    proposed: startCourse(name, isSame ? missing : undefined),
    taken: undefined,
    difference: undefined,
  };
}

/** Returns what the missing measurements were; undefined if the counters do not tell. */
function missingOf(own: RunToReplay["metrics"][number]): Tally | undefined {
  const { stored, successful = 0, failed = 0, error = 0, inconclusive = 0, takenAgain = 0 } = own;
  if (stored === undefined || takenAgain > 0) return undefined;
  const counted: Tally = { Successful: successful, Failed: failed, Error: error, Inconclusive: inconclusive };
  const missing = Object.fromEntries(endedPhases.map((phase) => [phase, counted[phase] - stored[phase]]));
  const isPlausible = Object.values(missing).every((number) => number >= 0);
  // Made from all of `endedPhases`.
  return isPlausible ? (missing as Tally) : undefined;
}

const limitFields = [
  "count",
  "failureLimit",
  "inconclusiveLimit",
  "consecutiveErrorLimit",
  "consecutiveSuccessLimit",
] as const;

function findHiddenLimit(metric: MetricSpec): string | undefined {
  const { successCondition, failureCondition, ...rules } = metric;
  return limitFields.find((field) => findHiddenField({ name: rules.name, [field]: rules[field] }) !== undefined);
}

function secretIn(field: string): Undecided {
  return { code: "secret", text: `The ${field} contains a secret, which is not stored.` };
}

const disordered: Undecided = {
  code: "order",
  text: "The controller's counters and its list of measurements disagree.",
};

function loseBoth({ recorded, proposed }: State, why: Undecided): void {
  loseCourse(recorded, why);
  loseCourse(proposed, why);
}

function brokenReplay(text: string): RunReplay {
  const undecided: Undecided = { code: "spec", text };
  const verdicts = { metric: { undecided }, run: { undecided } };
  const result: RunBacktest = {
    isDryRun: false,
    replayed: verdicts,
    proposed: verdicts,
    firstDifference: null,
    measurements: 0,
  };
  return { add: () => undefined, isSettled: () => true, state: undefined, finish: () => result };
}

function summarize(state: State, context: RunContext): RunBacktest {
  const recorded = finishCourse(state.recorded);
  const proposed = finishCourse(state.proposed);
  return {
    isDryRun: context.isDryRun,
    replayed: judgeOutcome(recorded, recorded, context),
    proposed: judgeOutcome(proposed, recorded, context),
    firstDifference: state.difference ?? null,
    measurements: state.measurements,
  };
}

class Replay {
  readonly #state: State;
  readonly #recorded: MetricSpec;
  readonly #proposed: MetricSpec;
  readonly #run: RunToReplay;
  /** How many measurements were taken, by the recorded counters. */
  readonly #total: number;
  readonly #readRecorded: PhaseReader;
  readonly #readProposed: PhaseReader;
  readonly #isSame: boolean;
  readonly #unknownPhases: readonly EndedPhase[];

  constructor(options: {
    run: RunToReplay;
    recorded: MetricSpec;
    proposed: MetricSpec;
    state: State;
    taken: number;
  }) {
    const { run, recorded, proposed, state, taken } = options;
    this.#state = state;
    this.#recorded = recorded;
    this.#proposed = proposed;
    this.#run = run;
    this.#total = taken;
    this.#isSame = hasSameConditions(proposed, recorded);
    this.#readRecorded = createPhaseReader(recorded, recorded);
    this.#readProposed = this.#isSame ? this.#readRecorded : createPhaseReader(proposed, recorded);
    this.#unknownPhases = this.#isSame ? endedPhases : phasesOf(proposed);
  }

  isSettled(): boolean {
    return isCourseSettled(this.#state.recorded) && isCourseSettled(this.#state.proposed);
  }

  add(measurement: ReplayedMeasurement): void {
    const state = this.#state;
    const { seq } = measurement;
    if (seq <= state.lastSeq) return;
    this.#passGap(seq);
    state.lastSeq = seq;
    state.measurements++;
    const recorded = this.#readRecorded(measurement);
    // Under the recorded conditions the recorded phase counts if the value does not tell.
    const phase = typeof recorded === "string" ? asEnded(recorded) : measurement.phase;
    const endedRecorded = isEnded(state.recorded);
    if (!isCourseSettled(state.recorded)) takeKnown(state.recorded, this.#recorded, { phase, seq });
    if (isCourseSettled(state.proposed)) {
      this.#noteEnd(measurement, endedRecorded);
      return;
    }
    const proposed = this.#propose(measurement, this.#isSame ? phase : undefined);
    this.#noteDifference(measurement, proposed, endedRecorded);
  }

  /** Adds what is missing at the end. */
  finish(): void {
    this.#passGap(this.#total + 1);
    const { proposed, taken } = this.#state;
    if (isCourseSettled(proposed)) return;
    if (wouldMeasureBefore(this.#run.endedAt, this.#cadence(), taken)) loseCourse(proposed, lateMeasurement);
  }

  /** Returns the phase that counts for the proposal, null if it would not have been taken. */
  #propose(measurement: ReplayedMeasurement, known: EndedPhase | undefined): string | null {
    const state = this.#state;
    const { seq } = measurement;
    const place = placeMeasurement(this.#cadence(), state.taken, measurement);
    if (place === "skipped") {
      if (state.taken !== undefined) state.taken = { ...state.taken, isNewest: false };
      return null;
    }
    if (place !== "taken") {
      loseCourse(state.proposed, place === "missed" ? missedBefore(seq, state.taken) : untimed(seq));
      return "unknown";
    }
    const read = known ?? this.#readProposed(measurement);
    const phase = typeof read === "string" ? asEnded(read) : undefined;
    if (phase !== undefined) takeKnown(state.proposed, this.#proposed, { phase, seq });
    else if (typeof read !== "string") {
      takeUnknown(state.proposed, this.#proposed, { phases: this.#unknownPhases, seq, why: read });
    }
    // If the phase is unknown, the recorded schedule is followed.
    const { finishedAt, phase: recorded } = measurement;
    state.taken = { proposed: phase ?? recorded, recorded, finishedAt, isNewest: true };
    return phase ?? "unknown";
  }

  #passGap(nextSeq: number): void {
    const state = this.#state;
    const missing = nextSeq - state.lastSeq - 1;
    if (missing <= 0 || this.isSettled()) return;
    const count = missing === 1 ? "1 measurement is" : `${missing} measurements are`;
    const where = state.lastSeq === 0 ? "at the beginning" : `after no. ${state.lastSeq}`;
    const why: Undecided = { code: "gap", text: `${count} missing ${where}.` };
    // Without the times of the missing ones, only the recorded schedule can be followed.
    if (state.taken !== undefined && !state.taken.isNewest) loseCourse(state.proposed, why);
    for (let seq = state.lastSeq + 1; seq < nextSeq; seq++) {
      if (this.isSettled()) return;
      if (!isCourseSettled(state.recorded)) {
        takeUnknown(state.recorded, this.#recorded, { phases: endedPhases, seq, why });
      }
      if (!isCourseSettled(state.proposed)) {
        takeUnknown(state.proposed, this.#proposed, { phases: this.#unknownPhases, seq, why });
      }
    }
    if (!this.#hasSameSchedule()) loseCourse(state.proposed, why);
    state.taken = undefined;
  }

  #cadence() {
    return { proposed: this.#proposed, recorded: this.#recorded, startedAt: this.#run.startedAt };
  }

  #hasSameSchedule(): boolean {
    const { interval, initialDelay } = this.#recorded;
    return (
      (interval ?? "") === (this.#proposed.interval ?? "") &&
      (initialDelay ?? "") === (this.#proposed.initialDelay ?? "")
    );
  }

  #noteDifference(measurement: ReplayedMeasurement, proposed: string | null, endedRecorded: boolean): void {
    const state = this.#state;
    if (state.difference !== undefined) return;
    const endsRecorded = !endedRecorded && isEnded(state.recorded);
    const endsProposed = isEnded(state.proposed);
    if (proposed === measurement.phase && endsRecorded === endsProposed) return;
    state.difference = toDifference(measurement, { proposed, endsRecorded, endsProposed });
  }

  /** Notes that the record ends the metric at a measurement which the proposal never takes. */
  #noteEnd(measurement: ReplayedMeasurement, endedRecorded: boolean): void {
    const state = this.#state;
    if (state.difference !== undefined || endedRecorded || !isEnded(state.recorded)) return;
    state.difference = toDifference(measurement, { proposed: null, endsRecorded: true, endsProposed: false });
  }
}

function toDifference(
  { seq, value, finishedAt, phase }: ReplayedMeasurement,
  ends: Pick<FirstDifference, "proposed" | "endsRecorded" | "endsProposed">,
): FirstDifference {
  return { seq, value: value ?? null, finishedAt: finishedAt ?? null, recorded: phase, ...ends };
}

function isEnded({ branches }: Course): boolean {
  return branches.length === 1 && branches[0]?.end !== undefined;
}

/** The phases that a value may have under some conditions. */
function phasesOf({ successCondition = "", failureCondition = "" }: MetricSpec): readonly EndedPhase[] {
  if (successCondition !== "" && failureCondition !== "") return endedPhases;
  return successCondition === "" && failureCondition === ""
    ? ["Successful", "Error"]
    : ["Successful", "Failed", "Error"];
}

function asEnded(phase: string): EndedPhase {
  return endedPhases.find((ended) => ended === phase) ?? "Error";
}

const lateMeasurement: Undecided = {
  code: "schedule",
  text: "It would have been measured again before the run ended, when no measurement was taken.",
};

function missedBefore(seq: number, last: Taken | undefined): Undecided {
  if (last === undefined) {
    return {
      code: "schedule",
      seq,
      text: "The first measurement would have been taken earlier than the first recorded one.",
    };
  }
  const after =
    last.proposed === "Error" ? "An error is measured again after 10 s" : "It would have been measured more often";
  return { code: "schedule", seq, text: `${after}: the measurement before no. ${seq} is not in the record.` };
}

function untimed(seq: number): Undecided {
  return { code: "schedule", seq, text: `The record does not tell whether no. ${seq} would have been taken.` };
}
