import { analysingPhases, type CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { intervalSecondsOf, strategyOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import { runKeyOf } from "#lib/domain/flagger/objects/run-key.ts";

/**
 * Facts that a Canary's own status lacks, from stored observations, events and samples. Every field is optional: a
 * missing one is unknown, which does not mean that nothing happened.
 */
export type CanaryHistory = {
  /** The last phase that differs from the current one, as Flagger wrote it. */
  previousPhase?: string;
  /**
   * While Failed: `lastAppliedSpec` as it was when the phase became Failed. Flagger overwrites it at each check
   * (shouldAdvance in pkg/controller/scheduler.go), and can lose a revision by that.
   */
  previousAppliedSpec?: string;
  /** While Failed: whole intervals since `lastAppliedSpec` began to differ from `previousAppliedSpec`. */
  intervalsSinceChange?: number;
  /**
   * The refusal of a traffic increase that is still in force: no later event of this run raised the weight. `hook` is
   * the webhook's name, `at` ISO 8601; `isCut` if it may have begun before that. The status does not show this wait.
   */
  stepGateWait?: { hook: string; at: string; isCut?: boolean };
  /** The highest `failedChecks` of the run. Flagger writes 0 together with Failed. */
  peakFailedChecks?: number;
  /** Percent on the canary according to the route object that Flagger writes, such as a VirtualService. */
  routeWeight?: number;
  /** The newest sample of `flagger_canary_weight` for the target, in percent; of this run only. */
  sampledWeight?: number;
  /**
   * `status.canaryWeight` of the last observation before the run began. Above 0 only if a promotion had failed: Flagger
   * then writes 0 and leaves the route as it is (checkCanaryStatus in pkg/controller/scheduler.go). Leave it out once
   * the run was restarted, since a restart resets the route.
   */
  weightBeforeRun?: number;
  /** The last weight of this run from a trustworthy source, in percent. */
  lastKnownWeight?: number;
};

/**
 * The earlier state of a Canary that its next states are judged by, since Flagger overwrites it. Stored with each
 * observation.
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
  isRunning: boolean;
  /** The run that `runKey` names has failed, and no other has begun. */
  hasFailed: boolean;
  /** Since when that run has failed, ISO 8601; null if it has not. A later wait for a start does not change it. */
  failedSince: string | null;
  /** `lastAppliedSpec` of the last version before Failed. `changedAt`: when it became another one while Failed. */
  appliedSpec: string;
  changedAt: string | null;
  /** Since when it waits for its start, ISO 8601; null if it does not. */
  waitsSince: string | null;
  /** Since when the run had waited for its start, ISO 8601; null if it did not. */
  waitedSince: string | null;
  /** Highest number of failed checks of the run. */
  peakFailedChecks: number;
  /** Highest weight of the run's analysis, in percent. */
  peakWeight: number;
  /** Weight of the status just before the run began, in percent; null for one that began again. */
  weightBeforeRun: number | null;
  /** The newest weight of the status, in percent. */
  statusWeight: number;
  /** The newest count of rounds in the status: blue-green moves all traffic after the last one. */
  iterations?: number | undefined;
  /** When phase, run, that weight or that count last changed, ISO 8601. Absent in observations of older versions. */
  placedSince?: string | undefined;
  /** The last weight of the run that the status had right, in percent; null if it had none. */
  lastKnownWeight: number | null;
  /** The newest known template of a revision; absent if unknown, and in observations of older versions. */
  template?: RunTemplate | undefined;
};

/** The pod template of a revision. Flagger keeps only its hash, which cannot be computed outside of Flagger. */
export type RunTemplate = {
  /** Flagger's hash of the template. */
  spec: string;
  /** Digest of the recorded template; null as long as the target was not seen with it. */
  digest: string | null;
  /**
   * Digest of the previous revision; null if it is not known. While the target has it, the target's record is behind.
   */
  former: string | null;
};

const promoting = ["Promoting", "Finalising"];
const promoted = ["Initialized", "Succeeded"];
/** Between runs, or before the first. The start gate still names the revision before. */
const resting = ["", "Initializing", "Initialized", "Waiting", "Succeeded", "Failed", "Terminating", "Terminated"];

/**
 * Adds one observed version of a Canary to the memory. A run begins when Flagger analyses, begins again when another
 * revision or config takes its place, and ends with a resting phase (pkg/controller/scheduler.go). An unknown phase
 * changes nothing. `at` is ISO 8601.
 */
export function rememberRun(canary: CanaryObject, memory: RunMemory | undefined, at: string): RunMemory {
  const { phase, lastAppliedSpec, lastPromotedSpec } = canary.status;
  const isActive = analysingPhases.includes(phase) || promoting.includes(phase);
  const isSame = memory?.isRunning === true && isSameRevision(canary, memory.runKey);
  const isNewRun = isActive && !isSame;
  // A run that began and was promoted between two seen versions.
  const isUnseenRun = promoted.includes(phase) && memory !== undefined && !isSameRevision(canary, memory.runKey);
  const run = isNewRun || isUnseenRun ? undefined : memory;
  const key = isSame ? memory.runKey : runKeyOf(canary);
  const isFailed = phase === "Failed";
  const hasFailed = isFailed || (phase === "Waiting" && memory?.hasFailed === true);
  const waitsSince = phase === "Waiting" ? (memory?.waitsSince ?? at) : null;
  const { canaryWeight: statusWeight = 0, iterations = 0 } = canary.status;
  const isPlaced =
    !isNewRun && memory?.phase === phase && memory.statusWeight === statusWeight && memory.iterations === iterations;
  const appliedSpec = isFailed && memory !== undefined ? memory.appliedSpec : lastAppliedSpec;
  return {
    phase,
    previousPhase: memory === undefined || memory.phase === phase ? (memory?.previousPhase ?? null) : memory.phase,
    runKey: isActive || promoted.includes(phase) ? key : keyAtRest(phase, memory?.runKey ?? firstKey(canary)),
    promotedKey: promoted.includes(phase) ? key : (memory?.promotedKey ?? lastPromotedSpec),
    isRunning: isActive || (memory?.isRunning === true && !resting.includes(phase)),
    hasFailed,
    failedSince: hasFailed ? (memory?.failedSince ?? promotedConditionTime(canary) ?? at) : null,
    appliedSpec,
    changedAt: isFailed && lastAppliedSpec !== appliedSpec ? (memory?.changedAt ?? at) : null,
    waitsSince,
    waitedSince: isNewRun || isUnseenRun ? (memory?.waitsSince ?? null) : (memory?.waitedSince ?? null),
    peakFailedChecks: Math.max(run?.peakFailedChecks ?? 0, canary.status.failedChecks ?? 0),
    peakWeight: Math.max(run?.peakWeight ?? 0, findKnownWeight(canary) ?? 0),
    weightBeforeRun: isNewRun
      ? memory?.isRunning === true
        ? null
        : (memory?.statusWeight ?? null)
      : (run?.weightBeforeRun ?? null),
    ...{ statusWeight, iterations },
    placedSince: isPlaced ? (memory.placedSince ?? at) : at,
    lastKnownWeight: findKnownWeight(canary) ?? run?.lastKnownWeight ?? null,
  };
}

/** Returns when the controller wrote the condition; undefined if it is missing. */
function promotedConditionTime({ status }: CanaryObject): string | undefined {
  return status.conditions.find(({ type }) => type === "Promoted")?.lastTransitionTime;
}

/** A status may leave out the configs that an earlier one had. */
function isSameRevision(canary: CanaryObject, runKey: string): boolean {
  const key = runKeyOf(canary);
  return key === runKey || runKey.startsWith(`${key}-`);
}

/** A Canary that is initialised again has no revision. */
function keyAtRest(phase: string, runKey: string): string {
  return phase === "" || phase === "Initializing" ? "" : runKey;
}

/** A Canary that is Failed when first seen may name a newer revision than the one that failed. */
function firstKey(canary: CanaryObject): string {
  return canary.status.phase === "Failed" ? "" : runKeyOf(canary);
}

/** Returns the weight if the status is right about it: not in a wait for the promotion, and only if there are weights. */
function findKnownWeight(canary: CanaryObject): number | undefined {
  const { phase, canaryWeight } = canary.status;
  return phase === "Progressing" && strategyOf(canary) === "Canary" ? canaryWeight : undefined;
}

/** Converts the memory to the history for an assessment. `now` is ISO 8601; without it no interval has passed. */
export function toHistory(canary: CanaryObject, memory: RunMemory, now?: string): CanaryHistory {
  const { previousPhase, appliedSpec, changedAt, peakFailedChecks, weightBeforeRun, lastKnownWeight } = memory;
  return {
    ...(previousPhase === null ? {} : { previousPhase }),
    ...(memory.phase === "Failed" ? { previousAppliedSpec: appliedSpec } : {}),
    ...(changedAt === null || now === undefined
      ? {}
      : { intervalsSinceChange: countIntervals(canary, changedAt, now) }),
    ...(weightBeforeRun === null ? {} : { weightBeforeRun }),
    ...(lastKnownWeight === null ? {} : { lastKnownWeight }),
    peakFailedChecks,
  };
}

function countIntervals(canary: CanaryObject, from: string, to: string): number {
  const seconds = (Date.parse(to) - Date.parse(from)) / 1000;
  return Math.max(0, Math.floor(seconds / intervalSecondsOf(canary)));
}
