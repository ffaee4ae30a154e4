import type { ActionJudgement, FlaggerAction } from "./action-judgement.ts";
import { assessSeverity, type Severity } from "./assess-severity.ts";
import { type AssessInput, type CanaryFacts, readCanaryFacts } from "./canary-facts.ts";
import { adviseOn, describeState } from "./describe-state.ts";
import { type CanaryState, findState } from "./find-state.ts";
import { type Hazard, judgeActions, listHazards } from "./judge-actions.ts";
import { findWaitingGate, type WaitingGate } from "./judge-gates.ts";
import type { Readiness } from "./primary-readiness.ts";
import { noteFacts } from "./state-notes.ts";
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
