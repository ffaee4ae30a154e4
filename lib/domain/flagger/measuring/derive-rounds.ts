import type { FlaggerMessage } from "#lib/domain/flagger/events/flagger-message.ts";
import { parseDurationMs } from "#lib/util/duration.ts";
import type { AnalysisSpec } from "./analysis-spec.ts";
import type { RunMessage } from "./run-message.ts";

/** One round of checks: hooks first, then metrics. `halt` is the message that stopped it; undefined if it passed. */
export type CheckRound = {
  /** Counts from 1. After a gap it is a lower bound. */
  number: number;
  /** ISO 8601; when it had ended at the latest. */
  at: string;
  /** False if the time is that of a later message. */
  isTimeExact: boolean;
  halt: FlaggerMessage | undefined;
};

/** Rounds that no message mentions, or that are only known to have taken place. */
export type RoundGap = {
  /** Number of the round before; 0 for none. */
  afterRound: number;
  /** How many at least; their true number is unknown. */
  atLeast: number;
};

export type DerivedRounds = {
  rounds: CheckRound[];
  gaps: RoundGap[];
  /** The highest value of Flagger's counter. Failed hooks before the first step count, although they are no round. */
  failedChecks: number;
};

const defaultIntervalMs = 60_000;

/** A halt that was folded more often leaves its earlier rounds as a gap: such a count is not trusted. */
const mostFolded = 100;

/**
 * Derives the check rounds of one run from its messages in order. A round shows only in Flagger's next step: it
 * advances or waits (all checks passed), or it halts (one failed). Between the request for a promotion and its
 * approval, rounds that pass are silent: a gap. Nothing is measured before the first step. `startWeight` is the traffic
 * that the canary had before, 100 after a failed promotion: then it is measured at once. `peakFailedChecks` comes from
 * the Canary's status. Mirrors fluxcd/flagger pkg/controller/scheduler.go advanceCanary.
 */
export function deriveRounds({
  spec,
  messages,
  startWeight = 0,
  peakFailedChecks = 0,
}: {
  spec: AnalysisSpec;
  messages: readonly RunMessage[];
  startWeight?: number | undefined;
  peakFailedChecks?: number | undefined;
}): DerivedRounds {
  const counter = createRoundCounter(spec, startWeight);
  for (const message of messages) counter.add(message);
  return counter.finish(peakFailedChecks);
}

type State = Omit<DerivedRounds, "rounds"> & {
  /** Rounds that must have passed so far. */
  passes: number;
  /** Whether the canary has traffic, or its iterations have begun. */
  isMeasured: boolean;
  iterations: number;
  /** Gates that have passed in a tick whose next message is still to come. */
  pending: { at: string; hooks: string[] } | undefined;
  /** Since when the rounds that pass are silent. */
  silentSince: string | undefined;
};

function createRoundCounter(spec: AnalysisSpec, startWeight: number) {
  const intervalMs = Math.max(parseDurationMs(spec.interval ?? "") ?? defaultIntervalMs, 10_000);
  const rounds: CheckRound[] = [];
  let state = begin({ gaps: [], failedChecks: 0 }, startWeight);
  /** The state to restore if the analysis turns out to have been skipped. */
  let beforePromotion: { state: State; rounds: number } | undefined;

  function begin({ gaps, failedChecks }: Pick<State, "gaps" | "failedChecks">, weight: number): State {
    const iterations = spec.iterations ?? 0;
    const atOnce = iterations > 0 ? -1 : countPlannedRounds({ spec, iterations }) - 1;
    const passes = weight > 0 ? atOnce : 0;
    const waits = { pending: undefined, silentSince: undefined };
    return { gaps, failedChecks, passes, isMeasured: weight > 0, iterations, ...waits };
  }

  const lastNumber = () => rounds.at(-1)?.number ?? 0;

  function addGap(atLeast: number): void {
    const afterRound = lastNumber();
    const before = state.gaps.at(-1);
    const isSame = before?.afterRound === afterRound;
    const gap = { afterRound, atLeast: isSame ? before.atLeast + atLeast : atLeast };
    state = { ...state, gaps: [...(isSame ? state.gaps.slice(0, -1) : state.gaps), gap] };
  }

  function addRound(at: string, { halt, isTimeExact = true }: { halt?: FlaggerMessage; isTimeExact?: boolean } = {}) {
    const { silentSince } = state;
    if (silentSince !== undefined && Date.parse(at) - Date.parse(silentSince) > 1.5 * intervalMs) addGap(0);
    const gap = state.gaps.at(-1);
    const lost = gap?.afterRound === lastNumber() ? gap.atLeast : 0;
    rounds.push({ number: lastNumber() + 1 + lost, at, isTimeExact, halt });
    state = { ...state, pending: undefined, silentSince: silentSince === undefined ? undefined : at };
  }

  /** Ends a tick whose gates passed and that has no further message. */
  function endPending(): void {
    if (state.pending !== undefined) addRound(state.pending.at);
  }

  function passGate(at: string, hook: string): void {
    if (!state.isMeasured) return;
    if (state.pending?.hooks.includes(hook) === true) endPending();
    state = { ...state, pending: { at, hooks: [...(state.pending?.hooks ?? []), hook] } };
  }

  function advance(at: string, message: FlaggerMessage, needed: number): void {
    const missing = needed - state.passes - 1;
    const isFirstStep = needed === 0 && missing < 0;
    // Blue/green with the kubernetes provider routes no traffic: one round passes without a message.
    const isSilentRound = message.kind === "promotion-started" && state.iterations > 0 && missing === 1;
    if (isSilentRound) {
      if (state.pending === undefined) addRound(at, { isTimeExact: false });
    } else if (missing > 0) addGap(missing);
    if (!isFirstStep) addRound(at);
    state = { ...state, passes: Math.max(state.passes, needed), isMeasured: true, pending: undefined };
    if (message.kind === "promotion-started") state = { ...state, silentSince: undefined };
  }

  function halt(each: RunMessage): void {
    const { at, message } = each;
    // Of messages that Kubernetes aggregated, only the last is known.
    const count = message.aggregated ? 1 : (each.count ?? 1);
    endPending();
    state = { ...state, failedChecks: state.failedChecks + count };
    if (message.kind === "halt-hook" && message.hook === "pre-rollout") return;
    if (count > mostFolded) addGap(count - mostFolded);
    for (let left = Math.min(count, mostFolded); left > 0; left--)
      addRound(at, { halt: message, isTimeExact: left === 1 });
  }

  /** Adds a gap for failed checks that no message mentions. */
  function reachFailedChecks(total: number): void {
    const lost = total - state.failedChecks;
    if (lost <= 0) return;
    addGap(lost);
    state = { ...state, failedChecks: total };
  }

  function add(each: RunMessage): void {
    const { at, message, count = 1 } = each;
    if (message.aggregated && count > 1) addGap(0);
    if (message.kind === "iteration-advanced") state = { ...state, iterations: message.iterations };
    if (message.kind === "promotion-started") beforePromotion = { state, rounds: rounds.length };
    const needed = countPassesBefore(message, { spec, iterations: state.iterations });
    if (needed !== undefined) advance(at, message, needed);
    else if ("countsAsFailedCheck" in message && message.countsAsFailedCheck) halt(each);
    else addOther(at, message);
  }

  /** Undoes a promotion that copied the spec without a last round. */
  function undoPromotion(): void {
    if (beforePromotion === undefined) return;
    state = beforePromotion.state;
    rounds.length = beforePromotion.rounds;
  }

  function addOther(at: string, message: FlaggerMessage): void {
    switch (message.kind) {
      case "run-restarted":
        endPending();
        state = begin(state, 0);
        break;
      case "analysis-tick-zero":
        endPending();
        state = { ...state, isMeasured: false };
        break;
      case "gate-passed":
        if (message.gate !== "confirm-rollout") passGate(at, message.hookName);
        break;
      case "gate-waiting":
        if (message.gate === "confirm-rollout" || !state.isMeasured) break;
        addRound(at);
        if (message.gate === "confirm-promotion") state = { ...state, silentSince: at };
        break;
      case "rollback-threshold":
        endPending();
        reachFailedChecks(message.failedChecks);
        break;
      case "run-succeeded":
        if (message.analysisSkipped) undoPromotion();
        break;
      default:
    }
  }

  return {
    add,
    finish(peakFailedChecks: number): DerivedRounds {
      endPending();
      reachFailedChecks(peakFailedChecks);
      const { gaps, failedChecks } = state;
      return { rounds, gaps, failedChecks };
    },
  };
}

/**
 * Returns the canary weights of an analysis in order; a mirrored one begins with a step at 0. Mirrors fluxcd/flagger
 * pkg/controller/scheduler.go maxWeight, nextStepWeight and runCanary.
 */
export function planWeights({ stepWeight = 0, stepWeights = [], maxWeight = 0, mirror }: AnalysisSpec): number[] {
  const last = stepWeights.at(-1);
  const highest = Math.min(100, last ?? (maxWeight > 0 ? maxWeight : 100));
  const weights: number[] = mirror === true ? [0] : [];
  // Less than 1 is no step that Flagger could take: its weights are whole.
  if (stepWeight >= 1) {
    for (let weight = stepWeight; weight - stepWeight < highest; weight += stepWeight)
      weights.push(Math.min(weight, 100));
  } else weights.push(...stepWeights.map((weight) => Math.min(weight, 100)));
  return weights;
}

/**
 * Returns how many rounds must have passed for Flagger to write a message of progress; undefined for other messages.
 * The first step and the first iteration need none: nothing is measured before them.
 */
export function countPassesBefore(
  message: FlaggerMessage,
  { spec, iterations }: { spec: AnalysisSpec; iterations: number },
): number | undefined {
  switch (message.kind) {
    case "weight-advanced":
      return Math.max(
        0,
        planWeights(spec).findLastIndex((weight) => weight <= message.canaryWeight),
      );
    case "iteration-advanced":
      return Math.max(0, message.iteration - 1);
    case "traffic-to-canary":
      return iterations;
    case "promotion-started":
      return countPlannedRounds({ spec, iterations });
    default:
      return undefined;
  }
}

/** Returns how many rounds must pass before the promotion. Blue/green has one more than its iterations. */
export function countPlannedRounds({ spec, iterations }: { spec: AnalysisSpec; iterations: number }): number {
  if (iterations === 0) return planWeights(spec).length;
  return (spec.match ?? []).length > 0 ? iterations : iterations + 1;
}
