import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { intervalSecondsOf, strategyOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import { runKeyOf } from "#lib/domain/flagger/objects/run-key.ts";
import type { CanaryHistory } from "#lib/domain/flagger/view/canary-history.ts";

/**
 * What the next states of a Canary cannot be understood without: Flagger overwrites it. Stored with each observation.
 */
export type RunMemory = {
  /** As Flagger wrote it. */
  phase: string;
  /** The phase before it; null if none was seen. */
  previousPhase: string | null;
  /** Key of the run that is in progress or was the last one; empty before the first. */
  runKey: string;
  /** Key of the revision that was promoted last; empty if none is known. */
  promotedKey: string;
  /** The run that `runKey` names has failed, and no other has begun. */
  hasFailed: boolean;
  /** `lastAppliedSpec` at the run's last sight before Failed, and while Failed when it became another one. */
  appliedSpec: string;
  changedAt: string | null;
  /** Highest number of failed checks of the run. */
  peakFailedChecks: number;
  /** The last weight of the run that the status had right, in percent; null if it had none. */
  lastKnownWeight: number | null;
};

/** Phases of a run. Its start gate comes before it, and still names the revision before. */
const runPhases = ["Progressing", "WaitingPromotion", "Promoting", "Finalising"];
const promotedPhases = ["Initialized", "Succeeded"];

/** Adds one sight of a Canary to what is remembered. `at` is ISO 8601. */
export function rememberRun(canary: CanaryObject, memory: RunMemory | undefined, at: string): RunMemory {
  const { phase, lastAppliedSpec, lastPromotedSpec } = canary.status;
  const key = runKeyOf(canary);
  const isRun = runPhases.includes(phase);
  const isPromoted = promotedPhases.includes(phase);
  const isNewRun = isRun && (memory === undefined || !runPhases.includes(memory.phase) || memory.runKey !== key);
  const before = isNewRun ? undefined : memory;
  const isFailed = phase === "Failed";
  const appliedSpec = isFailed && memory !== undefined ? memory.appliedSpec : lastAppliedSpec;
  return {
    phase,
    previousPhase: memory === undefined || memory.phase === phase ? (memory?.previousPhase ?? null) : memory.phase,
    runKey: isRun || isPromoted || memory === undefined ? key : memory.runKey,
    promotedKey: isPromoted ? key : (memory?.promotedKey ?? lastPromotedSpec),
    hasFailed: isFailed || (phase === "Waiting" && memory?.hasFailed === true),
    appliedSpec,
    changedAt: isFailed && lastAppliedSpec !== appliedSpec ? (memory?.changedAt ?? at) : null,
    peakFailedChecks: Math.max(before?.peakFailedChecks ?? 0, canary.status.failedChecks ?? 0),
    lastKnownWeight: findKnownWeight(canary) ?? before?.lastKnownWeight ?? null,
  };
}

/** Returns the weight if the status is right about it: not in a wait for the promotion, and only if there are weights. */
function findKnownWeight(canary: CanaryObject): number | undefined {
  const { phase, canaryWeight } = canary.status;
  return phase === "Progressing" && strategyOf(canary) === "Canary" ? canaryWeight : undefined;
}

/** Returns what is remembered in the terms of an assessment. `now` is ISO 8601; without it no interval has passed. */
export function toHistory(canary: CanaryObject, memory: RunMemory, now?: string): CanaryHistory {
  const { previousPhase, appliedSpec, changedAt, peakFailedChecks, lastKnownWeight } = memory;
  return {
    ...(previousPhase === null ? {} : { previousPhase }),
    ...(memory.phase === "Failed" ? { previousAppliedSpec: appliedSpec } : {}),
    ...(changedAt === null || now === undefined ? {} : { intervalsSinceChange: countIntervals(canary, changedAt, now) }),
    ...(lastKnownWeight === null ? {} : { lastKnownWeight }),
    peakFailedChecks,
  };
}

function countIntervals(canary: CanaryObject, from: string, to: string): number {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  return Math.max(0, Math.floor(seconds / intervalSecondsOf(canary)));
}
