import { type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { describeBlueGreen } from "#lib/domain/argo/view/blue-green.ts";
import { pauseSecondsOf } from "#lib/domain/argo/view/rollout-steps.ts";
import type { RolloutView } from "#lib/domain/argo/view/rollout-view.ts";
import type { Attention, AttentionReason } from "#lib/domain/delivery/detail.ts";
import { parseAbortMessage } from "../words.ts";

/**
 * Returns why a rollout waits for a person, or undefined if it does not. An Inconclusive verdict comes first, even if
 * it is hidden behind another pause reason; pauses that end by themselves do not count. A gate that the controller
 * skipped comes last, and stays until the release ends. If the object does not give the start time, the earlier answer
 * for the same reason is kept, else `now` (ISO 8601) counts.
 */
export function computeAttention({
  rollout,
  view,
  skippedGates = [],
  previous,
  now,
}: {
  rollout: RolloutObject;
  view: Pick<RolloutView, "phase">;
  /** Oldest first. */
  skippedGates?: readonly { at: string }[];
  previous: Pick<Attention, "reason" | "since"> | undefined;
  now: string;
}): Attention | undefined {
  const found = findReason(rollout, view.phase) ?? findingOf(skippedGates);
  if (found === undefined) return undefined;
  const { reason, severity } = found;
  const said = found.since === undefined ? Number.NaN : Date.parse(found.since);
  const kept = previous?.reason === reason ? previous.since : now;
  return { reason, severity, since: Number.isNaN(said) ? kept : new Date(said).toISOString() };
}

function findingOf([first]: readonly { at: string }[]): Found | undefined {
  return first === undefined ? undefined : { reason: "finding", severity: "warning", since: first.at };
}

type Found = { reason: AttentionReason; severity: Attention["severity"]; since: string | undefined };

function findReason(rollout: RolloutObject, phase: string): Found | undefined {
  const { status, spec } = rollout;
  const pauses = status.pauseConditions ?? [];
  const inconclusive = pauses.find((pause) => pause.reason.startsWith("Inconclusive"));
  if (inconclusive !== undefined) return { reason: "inconclusive", severity: "warning", since: inconclusive.startTime };
  if (!status.abort && hasInconclusiveRun(rollout))
    return { reason: "inconclusive", severity: "warning", since: pauses[0]?.startTime };
  if (phase === "Degraded") {
    // An abort on purpose needs no answer; the controller's own abort and any other trouble do.
    const severity = isAbortedByClient(rollout) && !hasOtherTrouble(rollout) ? "info" : "critical";
    return { reason: "degraded", severity, since: degradedSince(rollout) };
  }
  const atPause = pauses.find((pause) => pause.reason === "CanaryPauseStep");
  const step = stepsOf(rollout)[status.currentStepIndex ?? 0];
  if (atPause !== undefined && (step?.pause === undefined || pauseSecondsOf(step) === undefined))
    return { reason: "pause", severity: "info", since: atPause.startTime };
  const blueGreen = pauses.find((pause) => pause.reason === "BlueGreenPause");
  if (blueGreen !== undefined && describeBlueGreen(rollout)?.promotion !== "timed")
    return { reason: "blueGreenPromotion", severity: "info", since: blueGreen.startTime };
  const other = pauses.find((pause) => pause.reason !== "CanaryPauseStep" && pause.reason !== "BlueGreenPause");
  if (other !== undefined) return { reason: "pause", severity: "info", since: other.startTime };
  if (spec.paused) return { reason: "pause", severity: "info", since: conditionTime(rollout, "Paused") };
  return undefined;
}

/**
 * Returns whether a run is Inconclusive. Controllers before 1.8.2 could lose the Inconclusive pause of a background run
 * behind a pause step.
 */
function hasInconclusiveRun({ status }: RolloutObject): boolean {
  if (status.stableRS === status.currentPodHash) return false;
  return [
    status.canary?.currentStepAnalysisRunStatus,
    status.canary?.currentBackgroundAnalysisRunStatus,
    status.blueGreen?.prePromotionAnalysisRunStatus,
    status.blueGreen?.postPromotionAnalysisRunStatus,
  ].some((run) => run?.status === "Inconclusive");
}

/**
 * Returns whether there is other trouble. For an abort the phase is always Degraded, whether or not a spec is refused,
 * pods are missing, or traffic did not return.
 */
function hasOtherTrouble({ status }: RolloutObject): boolean {
  const { conditions = [], blueGreen, currentPodHash, stableRS } = status;
  const isTrouble = conditions.some(
    ({ type, status: is }) =>
      (type === "InvalidSpec" && is !== "False") ||
      (type === "ReplicaFailure" && is === "True") ||
      (type === "Available" && is === "False"),
  );
  return isTrouble || (blueGreen?.activeSelector === currentPodHash && stableRS !== currentPodHash);
}

function degradedSince(rollout: RolloutObject): string | undefined {
  const invalid = conditionTime(rollout, "InvalidSpec");
  if (invalid !== undefined) return invalid;
  if (rollout.status.abort && rollout.status.abortedAt !== undefined) return rollout.status.abortedAt;
  return conditionTime(rollout, "Progressing");
}

function conditionTime(rollout: RolloutObject, type: string): string | undefined {
  return rollout.status.conditions?.find((condition) => condition.type === type)?.lastTransitionTime;
}

/**
 * Returns whether the current abort was requested by a client, such as a person, rather than decided by the controller.
 * False if that is unknown.
 */
function isAbortedByClient({ status }: RolloutObject): boolean {
  const progressing = status.conditions?.find(({ type }) => type === "Progressing");
  if (!status.abort || progressing?.reason !== "RolloutAborted") return false;
  const abort = parseAbortMessage(progressing.message);
  return abort !== undefined && abort.cause === undefined;
}
