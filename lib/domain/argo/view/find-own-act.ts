import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { describeBlueGreen } from "#lib/domain/argo/view/blue-green.ts";
import { computeSteps } from "#lib/domain/argo/view/rollout-steps.ts";
import type { OwnAct } from "#lib/domain/delivery/provider.ts";

/** The controller's default if the spec has none (utils/defaults, DefaultProgressDeadlineSeconds). */
const defaultProgressDeadlineSeconds = 600;

/** Reasons of the condition Progressing while the controller waits for pods: only then does the deadline run. */
const progressReasons: readonly string[] = [
  "NewReplicaSetCreated",
  "FoundNewReplicaSet",
  "ReplicaSetUpdated",
  "ReplicaSetNotAvailable",
  "RolloutResumed",
  "RolloutRetry",
];

/**
 * Returns the controller's next act without a person: a timed promotion or pause that ends, or an abort at the progress
 * deadline. Undefined if it waits for a person: paused, aborted, or held by an Inconclusive verdict.
 */
export function findOwnAct(rollout: RolloutObject): OwnAct | undefined {
  const { spec, status } = rollout;
  const pauses = status.pauseConditions ?? [];
  if (spec.paused || status.abort || pauses.some(({ reason }) => reason.startsWith("Inconclusive"))) return undefined;
  if (pauses.length === 0) return findDeadline(rollout);
  const promotesAtMs = describeBlueGreen(rollout)?.promotesAtMs ?? null;
  if (promotesAtMs !== null) return { text: "Promotes by itself", at: new Date(promotesAtMs).toISOString() };
  const endsAt = computeSteps(rollout).find(({ state }) => state === "current")?.endsAt ?? null;
  return endsAt === null ? undefined : { text: nameNextStep(rollout), at: endsAt };
}

function nameNextStep(rollout: RolloutObject): string {
  const next = currentStepOf(rollout) + 2;
  const count = stepsOf(rollout).length;
  return next > count ? "Promotes by itself" : `Continues by itself with step ${next} of ${count}`;
}

/** With `progressDeadlineAbort`, a rollout whose pods do not get ready is aborted (utils/conditions, RolloutTimedOut). */
function findDeadline({ spec, status }: RolloutObject): OwnAct | undefined {
  if (!spec.progressDeadlineAbort || status.stableRS === status.currentPodHash) return undefined;
  const progress = status.conditions?.find(({ type }) => type === "Progressing");
  if (progress === undefined || !progressReasons.includes(progress.reason)) return undefined;
  const seconds = spec.progressDeadlineSeconds ?? defaultProgressDeadlineSeconds;
  const due = new Date(Date.parse(progress.lastUpdateTime ?? "") + seconds * 1000);
  if (Number.isNaN(due.getTime())) return undefined;
  return { text: "Aborts by itself without progress", at: due.toISOString() };
}
