import type { ReadBack } from "#lib/domain/acting/effect.ts";
import { ownManager } from "#lib/domain/acting/own-manager.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import type { ExpectedEffect, PatchTarget } from "#lib/domain/argo/plan/action-effect.ts";
import { assessEffect, carriesImages } from "#lib/domain/argo/plan/assess-effect.ts";
import { computeViewDigest } from "#lib/domain/argo/view/view-digest.ts";
import { findFieldHolders } from "#lib/domain/kube/find-field-holders.ts";
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
  const isUnseen = expected.kind !== "restarted" && computeViewDigest(rollout) === before.digest;
  if (rollout.metadata.resourceVersion === before.resourceVersion || isUnseen) {
    // Each of our patches except a restart changes the digest, so an unchanged one proves that none was applied.
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

const clearsPauses: readonly ExpectedEffect["kind"][] = ["resumed", "step-passed", "measured-again"];

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

/**
 * Judges an object that is as requested; somebody else may have done the same meanwhile. managedFields name who set a
 * field last: if that is another client, it was not this request. Our own mark proves that it was us, unless it is
 * older than the request. A patch that only removes a field leaves neither, and a cluster's clock may be behind: then it
 * stays open.
 */
function assessFound({ metadata, sentAt, what, bodies }: Found): ReadBack {
  const { managedFields } = metadata;
  const holders = bodies.flatMap((body) => listSetFields(body)).map((path) => findFieldHolders(managedFields, path));
  const managers = [...new Set(holders.flat().map(({ manager }) => manager))];
  if (holders.length > 0 && holders.every((each) => each.length > 0) && !managers.includes(ownManager))
    return {
      outcome: "undecidable",
      message: `Read back: the ${what} is as requested, but this request did not change it: ${managers.sort().join(" and ")} wrote it (managedFields).`,
    };
  // Times in managedFields are truncated to the second.
  const since = Math.floor(sentAt.getTime() / 1000) * 1000;
  const isOurs = findFieldHolders(managedFields, []).some(
    ({ manager, at }) => manager === ownManager && at !== null && Date.parse(at) >= since,
  );
  const message = isOurs
    ? `Read back: the ${what} shows the change, with Gatehouse's own mark (managedFields).`
    : `Read back: the ${what} shows the change, but not whether this request or another client made it.`;
  return { outcome: "applied", message };
}

type Found = { metadata: ObjectMeta; sentAt: Date; what: string; bodies: readonly unknown[] };

/**
 * Lists the fields that a merge patch sets to a value. Pod templates are left out: their lists are merged by keys, and
 * a stored plan does not contain their values.
 */
function listSetFields(body: unknown, path: readonly string[] = []): string[][] {
  if (body === null || path.at(-1) === "template") return [];
  if (typeof body !== "object" || Array.isArray(body)) return path.length === 0 ? [] : [[...path]];
  return Object.entries(body).flatMap(([name, value]) =>
    name === "metadata" && path.length === 0 ? [] : listSetFields(value, [...path, name]),
  );
}
