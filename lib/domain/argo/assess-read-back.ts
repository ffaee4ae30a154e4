import { assessEffect, type ExpectedEffect } from "#lib/domain/argo/action-effect.ts";
import type { RolloutObject } from "#lib/domain/argo/rollout-object.ts";
import { computeViewDigest } from "#lib/domain/argo/view-digest.ts";

export type ReadBack =
  | { outcome: "applied"; message: string }
  | { outcome: "refused"; message: string }
  | { outcome: "partial"; message: string }
  /** It may still be applied: a request can hang. Look again. */
  | { outcome: "waiting" }
  /** Others changed the object since, and it carries neither proof nor disproof. */
  | { outcome: "undecidable"; message: string };

/** Fields of a patch that the object carries: for each patch of the plan, in order. */
export type Carries = readonly boolean[];

/**
 * Judges from the object alone what became of patches whose answer never came. The precondition decides most: once the
 * resourceVersion has moved on, a patch that was not applied never will be; while it has not, it still may be.
 */
export function assessReadBack({
  rollout,
  carries,
  before,
  expected,
  isGraceOver,
}: {
  rollout: RolloutObject;
  carries: Carries;
  before: { digest: string; resourceVersion: string };
  expected: ExpectedEffect;
  /** Longer ago than any request can hang. */
  isGraceOver: boolean;
}): ReadBack {
  const isUnseen = expected.kind !== "restarted" && computeViewDigest(rollout) === before.digest;
  if (rollout.metadata.resourceVersion === before.resourceVersion || isUnseen) {
    // Each of our patches but a restart changes the digest, so an unchanged one proves that none was applied.
    if (!isGraceOver) return { outcome: "waiting" };
    return { outcome: "refused", message: "Read back: the change was not applied." };
  }
  if (rollout.metadata.uid !== expected.uid)
    return { outcome: "undecidable", message: "Read back: the rollout was deleted and created again." };
  const done = carries.filter(Boolean).length;
  if (done === carries.length || assessEffect({ expected, rollout }).state === "effective")
    return { outcome: "applied", message: "Read back: the rollout shows the change." };
  if (!isGraceOver) return { outcome: "waiting" };
  if (done > 0 && carries[0] === true)
    return { outcome: "partial", message: `Read back: half done, patch ${done} of ${carries.length} was applied.` };
  if (isStillPaused({ rollout, expected }))
    return { outcome: "refused", message: "Read back: the rollout still waits as before." };
  if (expected.kind === "aborted" && !rollout.status.abort && rollout.status.currentPodHash === expected.podHash)
    return { outcome: "refused", message: "Read back: the rollout is not aborted." };
  if (expected.kind === "retried" && rollout.status.abort && rollout.status.abortedAt === expected.abortedAt)
    return { outcome: "refused", message: "Read back: the rollout is still aborted." };
  const { kind } = expected;
  if ((kind === "paused" || kind === "unpaused") && rollout.spec.paused !== (kind === "paused"))
    return { outcome: "refused", message: `Read back: the rollout is ${kind === "paused" ? "not" : "still"} paused.` };
  return {
    outcome: "undecidable",
    message: "Read back: the rollout changed since; the object does not tell whether this change was part of it.",
  };
}

const clearsPauses: readonly ExpectedEffect["kind"][] = ["resumed", "step-passed", "measured-again"];

/** The very pause that was to be cleared: one that was cleared and set again has another start. */
function isStillPaused({ rollout, expected }: { rollout: RolloutObject; expected: ExpectedEffect }): boolean {
  if (!clearsPauses.includes(expected.kind)) return false;
  const pauses = rollout.status.pauseConditions ?? [];
  return expected.pauses.some((seen) =>
    pauses.some(({ reason, startTime }) => reason === seen.reason && startTime === seen.startTime),
  );
}
