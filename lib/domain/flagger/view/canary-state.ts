import { isNotReady, nameDeadline, type Readiness } from "#lib/domain/flagger/view/primary-readiness.ts";
import type { ActionJudgement, FlaggerAction } from "./action-judgement.ts";
import { assessSeverity, isDestructive, type Severity } from "./assess-severity.ts";
import { type AssessInput, type CanaryFacts, readCanaryFacts } from "./canary-facts.ts";
import { adviseOn, describeState } from "./describe-state.ts";
import { type CanaryState, findState, isPromotionFailure } from "./find-state.ts";
import { type Hazard, judgeActions, listHazards } from "./judge-actions.ts";
import { findWaitingGate, type WaitingGate } from "./judge-gates.ts";
import type { Traffic } from "./traffic.ts";

/** The state of a Canary, how serious it is, and the actions that are allowed. Sentences are for a person. */
export type CanaryAssessment = {
  state: CanaryState;
  severity: Severity;
  message: string;
  /** Percent; null if it is not known, or if it depends on the request. */
  trafficOnCanary: number | null;
  traffic: Traffic;
  /** When Flagger stops waiting for the primary, in ISO 8601; null if nothing ends the wait. */
  deadline: string | null;
  /** The gate that it waits for. */
  gate: WaitingGate | null;
  actions: Record<FlaggerAction, ActionJudgement>;
  hazards: Hazard[];
  /** What to do, most urgent first. */
  advice: string[];
  notes: string[];
  primary: Readiness;
  target: Readiness;
};

/** Assesses a Canary from its object, its workloads, the controller's version, and its stored history. */
export function assessCanary(input: AssessInput): CanaryAssessment {
  const facts = readCanaryFacts(input);
  const state = findState(facts);
  return {
    state,
    severity: assessSeverity(facts, state),
    message: describeState(facts, state),
    trafficOnCanary: facts.traffic.percent,
    traffic: facts.traffic,
    deadline: findDeadline(facts, state),
    gate: findWaitingGate(facts, state),
    actions: judgeActions(facts, state),
    hazards: listHazards(facts, state),
    advice: adviseOn(facts, state),
    notes: noteFacts(facts, state),
    primary: facts.primary,
    target: facts.target,
  };
}

/** States in which Flagger checks the primary at each interval, and acts on it. */
const checkingStates: readonly CanaryState[] = [
  "awaiting-start",
  "analyzing",
  "awaiting-step",
  "awaiting-promotion",
  "promoting",
  "promotion-at-risk",
  "finalising",
];

function findDeadline({ primary, mode, skipsAnalysis, phase }: CanaryFacts, state: CanaryState): string | null {
  const isPromotion = phase === "Promoting" || phase === "Finalising";
  const isEndless = skipsAnalysis || (isPromotion && mode === "stuck");
  return checkingStates.includes(state) && !isEndless ? primary.deadline : null;
}

/** Notes facts that explain the state, or that correct the controller's own words. */
function noteFacts(facts: CanaryFacts, state: CanaryState): string[] {
  return [
    facts.traffic.disagreement,
    noteSuspension(facts, state),
    noteSkippedAnalysis(facts, state),
    notePrimary(facts, state),
    ...noteChecks(facts, state),
    ...noteFailure(facts, state),
  ].filter((note) => note !== null);
}

function noteSuspension(facts: CanaryFacts, state: CanaryState): string | null {
  if (facts.canary.spec.suspend && !facts.knowsSuspend)
    return "spec.suspend is set, but this version of Flagger ignores it.";
  if (state !== "suspended") return null;
  const { percent } = facts.traffic;
  if (percent !== null && percent > 0 && facts.phase !== "Failed" && facts.phase !== "Waiting")
    return `Suspended: no checks and no automatic rollback while ${percent} % of the traffic is on the canary.`;
  const isIdle = facts.phase === "Initialized" || facts.phase === "Succeeded";
  return isIdle && (facts.targetDesired ?? 0) > 0
    ? "The target has pods although nothing runs: it was scaled or changed by hand."
    : null;
}

function noteSkippedAnalysis(facts: CanaryFacts, state: CanaryState): string | null {
  if (!facts.skipsAnalysis || state === "terminating" || state === "unknown") return null;
  return isRunning(state)
    ? "skipAnalysis is on: Flagger promotes at its next check, unchecked. Later releases go out unchecked too."
    : "skipAnalysis is on: later releases go out unchecked.";
}

function notePrimary(facts: CanaryFacts, state: CanaryState): string | null {
  const { primary } = facts;
  const when = nameDeadline(primary);
  const isBroken = primary.kind === "at-risk" || primary.kind === "failed";
  if (isBroken && (isRunning(state) || state === "awaiting-start"))
    return `The primary is not ready: ${primary.why}. Flagger fails the release ${when}, and sends all traffic to it.`;
  if (state === "promoting" && isNotReady(primary) && primary.deadline !== null && facts.mode !== "stuck")
    return isDestructive(facts)
      ? `If its update still hangs ${when}, Flagger sends all traffic to the primary and removes the canary. Suspend before.`
      : `If its update still hangs ${when}, Flagger fails the release.`;
  return null;
}

function noteChecks(facts: CanaryFacts, state: CanaryState): (string | null)[] {
  if (!isRunning(state)) return [];
  const { failedChecks, threshold, target } = facts;
  const isOver = failedChecks >= threshold;
  return [
    isOver ? "Enough checks failed: Flagger rolls back at its next check." : null,
    facts.isNearRollback && !isOver
      ? "One more failed check, and Flagger rolls back. A passing check does not lower the count."
      : null,
    target.kind === "updating" || target.kind === "at-risk"
      ? `Flagger waits for the canary's pods: ${target.why}.`
      : null,
    target.kind === "failed" ? `The canary's pods failed: ${target.why}. Flagger rolls back at its next check.` : null,
  ];
}

function noteFailure(facts: CanaryFacts, state: CanaryState): (string | null)[] {
  if (facts.phase !== "Failed") return [];
  const { previousAppliedSpec } = facts.history;
  const isOther = previousAppliedSpec !== undefined && previousAppliedSpec !== facts.canary.status.lastAppliedSpec;
  const isInState = state === "failed-reverted" || state === "failed-revision-not-picked-up";
  return [
    (facts.targetDesired ?? 0) > 0
      ? "The condition says that the target was scaled to zero, but its pods still run."
      : null,
    state === "failed-rolled-back" && isPromotionFailure(facts)
      ? "The primary may run the new version. Compare its images before the next release."
      : null,
    isOther && !isInState
      ? "Flagger has noted another version since. If no run begins within two checks, retrigger."
      : null,
  ];
}

function isRunning(state: CanaryState): boolean {
  return state === "analyzing" || state === "awaiting-step" || state === "awaiting-promotion";
}
