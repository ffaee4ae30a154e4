import type { MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import type { FirstDifference, ReplayedMeasurement, RunToReplay, Undecided } from "#lib/domain/delivery/backtest.ts";
import { type EndedPhase, endedPhases } from "#lib/domain/delivery/run-phase.ts";
import type { Language } from "#lib/expr/language.ts";
import { type Cadence, placeMeasurement, readSchedule, type Taken, wouldMeasureBefore } from "./cadence.ts";
import { type Course, isCourseSettled, loseCourse, takeKnown, takeUnknown } from "./course.ts";
import { createPhaseReader, hasSameConditions, type PhaseReader } from "./phase-reader.ts";

/** A replay under way, as plain data. */
export type ReplayState = {
  /** Of the last measurement that was added. */
  lastSeq: number;
  measurements: number;
  recorded: Course;
  proposed: Course;
  taken: Taken | undefined;
  difference: FirstDifference | undefined;
};

/** Both sets of rules of a metric, ready to replay any number of runs that have them. */
export type ReplayRules = {
  readonly recorded: MetricSpec;
  readonly proposed: MetricSpec;
  readonly schedules: Pick<Cadence, "recorded" | "proposed">;
  readonly readRecorded: PhaseReader;
  readonly readProposed: PhaseReader;
  /** Both have the same conditions. */
  readonly isSame: boolean;
  readonly unknownPhases: readonly EndedPhase[];
};

/** `language`: that of the controller which would evaluate the proposal; absent if it is not known. */
export function prepareReplayRules(recorded: MetricSpec, proposed: MetricSpec, language?: Language): ReplayRules {
  const isSame = hasSameConditions(proposed, recorded);
  const readRecorded = createPhaseReader(recorded, recorded);
  return {
    recorded,
    proposed,
    schedules: { recorded: readSchedule(recorded), proposed: readSchedule(proposed) },
    readRecorded,
    readProposed: isSame ? readRecorded : createPhaseReader(proposed, recorded, language),
    isSame,
    unknownPhases: isSame ? endedPhases : phasesOf(proposed),
  };
}

/** Takes the measurements of one metric, under its recorded rules and under the proposed ones. */
export class MetricReplay {
  readonly #state: ReplayState;
  readonly #rules: ReplayRules;
  readonly #endedAt: number | undefined;
  readonly #cadence: Cadence;
  /** How many measurements were taken, by the recorded counters. */
  readonly #total: number;

  constructor(options: { run: RunToReplay; rules: ReplayRules; state: ReplayState; taken: number }) {
    const { run, rules, state, taken } = options;
    this.#state = state;
    this.#rules = rules;
    this.#endedAt = run.endedAt;
    this.#cadence = { ...rules.schedules, startedAt: run.startedAt };
    this.#total = taken;
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
    if (this.isSettled()) return;
    const recorded = this.#rules.readRecorded(measurement);
    // Under the recorded conditions the recorded phase counts if the value does not decide it.
    const phase = typeof recorded === "string" ? asEnded(recorded) : measurement.phase;
    const endedRecorded = isEnded(state.recorded);
    if (!isCourseSettled(state.recorded)) takeKnown(state.recorded, this.#rules.recorded, { phase, seq });
    if (isCourseSettled(state.proposed)) {
      this.#noteEnd(measurement, endedRecorded);
      return;
    }
    const proposed = this.#propose(measurement, this.#rules.isSame ? phase : undefined);
    this.#noteDifference(measurement, proposed, endedRecorded);
  }

  /** Adds the measurements that are missing at the end. */
  finish(): void {
    this.#passGap(this.#total + 1);
    const { proposed, taken } = this.#state;
    if (isCourseSettled(proposed)) return;
    if (wouldMeasureBefore(this.#endedAt, this.#cadence, taken)) loseCourse(proposed, lateMeasurement);
  }

  /** Returns the phase that counts for the proposal, null if it would not have been taken. */
  #propose(measurement: ReplayedMeasurement, known: EndedPhase | undefined): string | null {
    const state = this.#state;
    const { seq } = measurement;
    const place = placeMeasurement(this.#cadence, state.taken, measurement);
    if (place === "skipped") {
      if (state.taken !== undefined) state.taken = { ...state.taken, isNewest: false };
      return null;
    }
    if (place !== "taken") {
      loseCourse(state.proposed, place === "missed" ? missedBefore(seq, state.taken) : untimed(seq));
      return "unknown";
    }
    const read = known ?? this.#rules.readProposed(measurement);
    const phase = typeof read === "string" ? asEnded(read) : undefined;
    if (phase !== undefined) takeKnown(state.proposed, this.#rules.proposed, { phase, seq });
    else if (typeof read !== "string") {
      takeUnknown(state.proposed, this.#rules.proposed, { phases: this.#rules.unknownPhases, seq, why: read });
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
    if (!this.#followsRecord()) loseCourse(state.proposed, why);
    for (let seq = state.lastSeq + 1; seq < nextSeq; seq++) {
      if (this.isSettled()) return;
      if (!isCourseSettled(state.recorded)) {
        takeUnknown(state.recorded, this.#rules.recorded, { phases: endedPhases, seq, why });
      }
      if (!isCourseSettled(state.proposed)) {
        takeUnknown(state.proposed, this.#rules.proposed, { phases: this.#rules.unknownPhases, seq, why });
      }
    }
    state.taken = undefined;
  }

  /** Returns whether the proposal would measure next when the controller did. */
  #followsRecord(): boolean {
    const { proposed, recorded } = this.#cadence;
    const { taken } = this.#state;
    const isSameWait = taken === undefined || (taken.proposed === "Error") === (taken.recorded === "Error");
    const isSame = proposed.delayMs === recorded.delayMs && proposed.intervalMs === recorded.intervalMs;
    return isSame && isSameWait && taken?.isNewest !== false;
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
  return { code: "schedule", seq, text: `Unknown whether no. ${seq} would have been taken.` };
}
