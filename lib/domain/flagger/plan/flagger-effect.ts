import { z } from "zod";
import type { EffectAssessment, EffectFacts, StoredEffect } from "#lib/domain/acting/effect.ts";
import { gateNames } from "#lib/domain/delivery/gate-decision.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { intervalSecondsOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import { runKeyOf } from "#lib/domain/flagger/objects/run-key.ts";

const Target = z.object({
  resource: z.string(),
  kind: z.string(),
  name: z.string(),
  uid: z.string(),
  resourceVersion: z.string(),
});

/** How to recognise later that an action on a Canary took effect. */
const FlaggerEffect = z.object({
  kind: z.enum(["gate-passed", "gate-held", "rolled-back", "suspended", "unsuspended", "promoted", "retriggered"]),
  uid: z.string(),
  /** The revision that the canary had. */
  runKey: z.string(),
  gate: z.enum(gateNames).optional(),
  /** Percent on the canary at the time, by the status. */
  weight: z.number().optional(),
  /** Between two checks of the canary. */
  intervalSeconds: z.number(),
  /** The workload that was patched instead of the canary, with the value of the annotation that it got. */
  target: Target.optional(),
  restartedAt: z.string().optional(),
  /** Version of the canary in the cluster's answer. */
  answeredVersion: z.string().optional(),
});
export type FlaggerEffect = z.infer<typeof FlaggerEffect>;

export function makeEffect(
  canary: CanaryObject,
  effect: Pick<FlaggerEffect, "kind"> & Partial<FlaggerEffect>,
): FlaggerEffect {
  const { uid } = canary.metadata;
  return { uid, runKey: runKeyOf(canary), intervalSeconds: intervalSecondsOf(canary), ...effect };
}

/** Parses a stored effect. Throws if `readEffect` returns undefined for it: callers check that first. */
export function parseEffect(stored: StoredEffect): FlaggerEffect {
  return FlaggerEffect.parse(stored);
}

/** Flagger asks a gate once per interval, in some strategies at every second one; then its pods start and stop. */
const checks = 2;
const slackSeconds = 60;

export function readEffect(stored: StoredEffect): EffectFacts | undefined {
  const parsed = FlaggerEffect.safeParse(stored);
  if (!parsed.success) return undefined;
  const { target, answeredVersion, intervalSeconds } = parsed.data;
  return {
    target,
    isOnTarget: false,
    answeredVersion,
    deadlineSeconds: () => checks * intervalSeconds + slackSeconds,
  };
}

const pastStart = ["Progressing", "WaitingPromotion", "Promoting", "Finalising", "Succeeded"];
const pastGates = ["Promoting", "Finalising", "Succeeded"];

/**
 * Judges by the Canary whether an action took effect: by a field that only Flagger writes, if possible. Flagger does
 * not record that it saw `suspend`.
 */
export function assessEffect(effect: FlaggerEffect, canary: CanaryObject): EffectAssessment {
  if (canary.metadata.uid !== effect.uid)
    return { state: "not-effective", message: "The canary was deleted and created again." };
  switch (effect.kind) {
    case "gate-passed":
      return assessPassed(effect, canary);
    case "gate-held":
      return assessHeld(effect, canary);
    case "rolled-back":
      return assessRollback(effect, canary);
    case "suspended":
    case "unsuspended":
      return assessSuspend(effect, canary);
    case "promoted":
      return assessPromotion(effect, canary);
    case "retriggered":
      return assessRetrigger(effect, canary);
  }
}

const pending: EffectAssessment = { state: "pending" };

function isOver(effect: FlaggerEffect, canary: CanaryObject): boolean {
  return runKeyOf(canary) !== effect.runKey;
}

const superseded: EffectAssessment = {
  state: "not-effective",
  message: "Another version took its place: the decision was for the one before.",
};

function assessPassed(effect: FlaggerEffect, canary: CanaryObject): EffectAssessment {
  const { phase, canaryWeight = 0 } = canary.status;
  if (effect.gate === "confirm-rollout") {
    if (pastStart.includes(phase) && isOver(effect, canary))
      return { state: "effective", message: "Flagger asked, got the approval, and started the analysis." };
    if (phase === "Progressing") return { state: "effective", message: "Flagger started the analysis." };
    return phase === "Failed" ? failedInstead : pending;
  }
  if (isOver(effect, canary)) return superseded;
  if (phase === "Failed") return failedInstead;
  if (pastGates.includes(phase)) return { state: "effective", message: "Flagger asked, and started the promotion." };
  if (effect.gate === "confirm-traffic-increase" && phase === "WaitingPromotion")
    return { state: "effective", message: "Flagger asked, and now waits for the approval of the promotion." };
  const isNextStep = effect.gate === "confirm-traffic-increase" && canaryWeight > (effect.weight ?? 0);
  return isNextStep
    ? { state: "effective", message: `Flagger asked, and raised the weight to ${canaryWeight} %.` }
    : pending;
}

const failedInstead: EffectAssessment = {
  state: "not-effective",
  message: "Flagger failed the canary before it used the approval.",
};

/** A gate that stays closed leaves no trace: it is in force as long as the run has not passed it. */
function assessHeld(effect: FlaggerEffect, canary: CanaryObject): EffectAssessment {
  const isPassed =
    effect.gate === "confirm-rollout" ? canary.status.phase === "Progressing" : pastGates.includes(canary.status.phase);
  return isPassed
    ? { state: "not-effective", message: "Flagger had passed the gate already." }
    : { state: "effective", message: "The gate stays closed." };
}

function assessRollback(effect: FlaggerEffect, canary: CanaryObject): EffectAssessment {
  const { phase } = canary.status;
  if (phase === "Failed") return { state: "effective", message: "Flagger asked, and rolled back." };
  if (isOver(effect, canary)) return superseded;
  return pastGates.includes(phase)
    ? { state: "not-effective", message: "Flagger had started the promotion already." }
    : pending;
}

function assessSuspend({ kind }: FlaggerEffect, { spec }: CanaryObject): EffectAssessment {
  const wants = kind === "suspended";
  if (spec.suspend === wants)
    return {
      state: "effective",
      message: wants ? "Flagger skips it at each check." : "Flagger checks it again at its next interval.",
    };
  return { state: "not-effective", message: "It has been undone since." };
}

function assessPromotion(effect: FlaggerEffect, canary: CanaryObject): EffectAssessment {
  const { phase } = canary.status;
  if (isOver(effect, canary)) return superseded;
  if (phase === "Failed") return failedInstead;
  return pastGates.includes(phase) ? { state: "effective", message: "Flagger promoted it without checks." } : pending;
}

function assessRetrigger(effect: FlaggerEffect, canary: CanaryObject): EffectAssessment {
  const { phase } = canary.status;
  if (phase === "Waiting")
    return { state: "effective", message: "Flagger saw the change, and waits at the start gate." };
  if (!isOver(effect, canary)) return pending;
  return phase === "Failed"
    ? { state: "pending", message: "Flagger noted the new revision, but has not started a run." }
    : { state: "effective", message: "Flagger started a new run." };
}
