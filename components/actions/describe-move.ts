import type { SeenView } from "#components/actions/live-changes.ts";
import { nameVersion } from "#lib/client/describe-images.ts";
import type { Release, ReleaseAct, RolloutDetail } from "#lib/contract/rollout.ts";
import { currentStepNumber } from "#lib/domain/delivery/step-words.ts";
import { wordStep } from "#lib/domain/delivery/word-step.ts";

/** Describes in a sentence how the rollout moved since a dialog was opened on it, if no one is known to have acted. */
export function describeMove(seen: SeenView, now: RolloutDetail): string {
  const version = nameVersion(now, now.revisionKey);
  if (now.presence !== "live") return "The cluster no longer shows this rollout.";
  if (now.uid !== seen.uid) return "The rollout was deleted and created again.";
  if (seen.revisionKey !== undefined && seen.revisionKey !== now.revisionKey)
    return `Another version is being rolled out: ${version}.`;
  if (now.aborted && seen.aborted !== true) return "The rollout was aborted.";
  if (now.stableRevisionKey === now.revisionKey && now.phase === "Healthy") return `${version} is fully promoted.`;
  if (now.attention?.reason === "inconclusive" && seen.attention?.reason !== "inconclusive")
    return "An analysis ended Inconclusive.";
  const number = currentStepNumber(now);
  if (seen.step !== undefined && seen.step !== null && now.step !== null && now.step !== seen.step && number !== null) {
    if (now.step >= now.stepCount) return "The controller completed the last step.";
    return `The controller moved to step ${number} of ${now.stepCount} (${wordStep(now.steps[now.step]?.text ?? "unknown")}).`;
  }
  if (now.phase === "Degraded" && seen.phase !== "Degraded") return "The rollout is degraded.";
  return "The controller changed its state.";
}

type FindInput = { releases: readonly Pick<Release, "acts">[]; seenAt: string; baseline: number | undefined };

/** An entry written just after the state that it caused is not new. */
const marginMs = 1_000;

/**
 * Finds the newest act of a person or client since a view was seen. That is an entry that did not exist when the dialog
 * was opened (`baseline`), or one later than the view.
 */
export function findActSince({ releases, seenAt, baseline }: FindInput): ReleaseAct | undefined {
  const since = Date.parse(seenAt) + marginMs;
  return releases
    .flatMap(({ acts }) => acts.latest)
    .filter(({ seq, time }) => (baseline !== undefined && seq > baseline) || Date.parse(time) > since)
    .toSorted((one, other) => other.seq - one.seq)[0];
}
