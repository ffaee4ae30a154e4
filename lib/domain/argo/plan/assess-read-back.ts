import { assessFound, type ReadBack } from "#lib/domain/acting/effect.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import {
  type EffectKind,
  type ExpectedEffect,
  effectFacts,
  type PatchTarget,
} from "#lib/domain/argo/plan/action-effect.ts";
import { assessEffect, carriesImages } from "#lib/domain/argo/plan/assess-effect.ts";
import { computeViewDigest } from "#lib/domain/argo/view/decision-view.ts";
import type { ObjectMeta } from "#lib/domain/kube/kube-object.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";
import { dropNulls } from "#lib/util/diff-merge.ts";

/** For each patch of the plan, in order: whether the object has its fields. */
export type Carries = readonly boolean[];

/**
 * Judges from the object alone the outcome of patches whose answer never came. The precondition decides most cases.
 * Once the resourceVersion has moved on, a patch that was not applied never will be; until then, it still may be.
 */
export function assessReadBack({
  rollout,
  carries,
  before,
  expected,
  isGraceOver,
  sentAt,
  unproven = [],
}: {
  rollout: RolloutObject;
  carries: Carries;
  before: { digest: string; resourceVersion: string };
  expected: ExpectedEffect;
  /** So long ago that no request can still hang. */
  isGraceOver: boolean;
  /** When the action was requested: an older mark from us cannot come from this request. */
  sentAt: Date;
  /** The bodies of the patches whose answer never came: managedFields show who set their fields. */
  unproven?: readonly unknown[];
}): ReadBack {
  const isUnseen = effectFacts(expected.kind).leavesView !== true && computeViewDigest(rollout) === before.digest;
  if (rollout.metadata.resourceVersion === before.resourceVersion || isUnseen) {
    // Unless it leaves the view, our patch changes the digest, so an unchanged one proves that it was not applied.
    if (!isGraceOver) return { outcome: "waiting" };
    return { outcome: "refused", message: "Read back: the change was not applied." };
  }
  if (rollout.metadata.uid !== expected.uid)
    return { outcome: "undecidable", message: "Read back: the rollout was deleted and created again." };
  const done = carries.filter(Boolean).length;
  const found = { metadata: rollout.metadata, sentAt, what: "rollout" };
  if (done === carries.length) return assessFound({ ...found, bodies: unproven });
  if (assessEffect({ expected, rollout }).state === "effective") return assessFound({ ...found, bodies: [] });
  if (!isGraceOver) return { outcome: "waiting" };
  if (done > 0 && carries[0] === true)
    return { outcome: "partial", message: `Read back: partially applied, patch ${done} of ${carries.length} only.` };
  if (isStillPaused({ rollout, expected }))
    return { outcome: "refused", message: "Read back: the rollout still waits as before." };
  if (expected.kind === "aborted" && !rollout.status.abort && rollout.status.currentPodHash === expected.podHash)
    return { outcome: "refused", message: "Read back: the rollout is not aborted." };
  if (expected.kind === "retried" && rollout.status.abort && rollout.status.abortedAt === expected.abortedAt)
    return { outcome: "refused", message: "Read back: the rollout is still aborted." };
  const { kind, template } = expected;
  if (template !== undefined && digestTemplate(rollout.spec.template) === template.before)
    return { outcome: "refused", message: "Read back: the pod template is unchanged." };
  if ((kind === "paused" || kind === "unpaused") && rollout.spec.paused !== (kind === "paused"))
    return { outcome: "refused", message: `Read back: the rollout is ${kind === "paused" ? "not" : "still"} paused.` };
  return {
    outcome: "undecidable",
    message: "Read back: the rollout changed since, so Gatehouse cannot tell whether this change was applied.",
  };
}

const clearsPauses: readonly EffectKind[] = ["resumed", "step-passed", "measured-again"];

/** Returns whether the pause to be cleared still exists: one that was cleared and set again has another start. */
function isStillPaused({ rollout, expected }: { rollout: RolloutObject; expected: ExpectedEffect }): boolean {
  if (!clearsPauses.includes(expected.kind)) return false;
  const pauses = rollout.status.pauseConditions ?? [];
  return expected.pauses.some((seen) =>
    pauses.some(({ reason, startTime }) => reason === seen.reason && startTime === seen.startTime),
  );
}

/** Judges the same for other patched objects: a Deployment, a run, an Experiment. */
export function assessTargetReadBack({
  metadata,
  target,
  carries,
  isAsBefore,
  isGraceOver,
  sentAt,
  unproven = [],
}: {
  metadata: ObjectMeta;
  target: PatchTarget;
  carries: boolean;
  /** The fields to be changed still have their old values. */
  isAsBefore: boolean;
  isGraceOver: boolean;
  sentAt: Date;
  unproven?: readonly unknown[];
}): ReadBack {
  const what = target.kind === "Deployment" ? "Deployment" : target.kind === "Experiment" ? "experiment" : "run";
  if (metadata.uid !== target.uid)
    return { outcome: "undecidable", message: `Read back: the ${what} was deleted and created again.` };
  if (carries) return assessFound({ metadata, sentAt, what, bodies: unproven });
  if (!isGraceOver) return { outcome: "waiting" };
  if (metadata.resourceVersion === target.resourceVersion || isAsBefore)
    return { outcome: "refused", message: "Read back: the change was not applied." };
  return {
    outcome: "undecidable",
    message: `Read back: the ${what} changed since, so Gatehouse cannot tell whether this change was applied.`,
  };
}

/** Returns whether a pod template is the wanted one; only the digest of its values is known. */
export function carriesTemplate(template: unknown, wanted: NonNullable<ExpectedEffect["template"]>): boolean {
  const digest = digestTemplate(template);
  if (digest === wanted.wanted) return true;
  // A server that adds defaults changes the digest: if images were to change, they decide.
  return digest !== wanted.before && wanted.images.length > 0 && carriesImages(template, wanted.images);
}

export function digestTemplate(template: unknown): string {
  return digestOf(dropNulls(template ?? {}));
}
