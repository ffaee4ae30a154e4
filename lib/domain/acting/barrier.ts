import type { ActionEntry } from "#lib/domain/acting/action-catalogue.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { DeliveryState, PausePlace } from "#lib/domain/delivery/observation.ts";
import { type ImageParts, parseImage } from "#lib/domain/delivery/version-set.ts";
import { servingTags } from "#lib/domain/kube/read-image-version.ts";
import type { BarrierBlock } from "#lib/domain/policy/decide.ts";
import type { Scope } from "#lib/domain/policy/rights.ts";
import { formatCount, formatList } from "#lib/util/words.ts";

/**
 * Rollouts that belong together. `together`: no member passes a pause until all that take part have reached theirs.
 * `onAbort`: what an abort of one means for the others that roll out the same version.
 */
export type MemberSet = Scope & { name: string; together: boolean; onAbort?: "propose" | "abort" | undefined };

/** A rollout of a set whose members pass their pauses together, as it was recorded last. */
export type BarrierMember = {
  place: ObjectRef;
  /** False if its present state is not known: then its images are those recorded last. */
  isKnown: boolean;
  /** Images of the revision that it wants; empty if they are not known. */
  wanted: readonly string[];
  /** Images of the pods that serve. */
  serving: readonly string[];
  /** The revision that it wants is stable, or was aborted. */
  isFinished: boolean;
  isAborted: boolean;
  /** The revision that it wants is not stable yet: its controller has aborted it, or still rolls it out. */
  progress?: "aborted" | "underWay" | undefined;
  /** Undefined if it is not known. */
  pauses: PausePlace | undefined;
};

/** The sets that a rollout passes its pauses together with, each with its other members. */
export type Barrier = {
  own: BarrierMember;
  /** Digest of the view that its own state is of; undefined if none is recorded. */
  viewDigest: string | undefined;
  sets: readonly { name: string; others: readonly BarrierMember[] }[];
};

/** Describes a member. `state` is that of its newest observation; undefined if there is none that can be read. */
export function toBarrierMember({
  place,
  state,
  images,
  isKnown,
}: {
  place: ObjectRef;
  state: DeliveryState | undefined;
  images: readonly { image: string; tags: readonly string[] }[];
  isKnown: boolean;
}): BarrierMember {
  // Until the controller has seen a spec, its status is about another one.
  const isSettled = state?.isSpecObserved === true && state.runKey !== "";
  const serving = images.filter(({ tags }) => tags.some((tag) => servingTags.includes(tag))).map(({ image }) => image);
  // A template that is not hashed yet, or that the controller refuses, is not what the status is about.
  const serves = serving.length === 0 || (state?.images ?? []).every((image) => serving.includes(image));
  const isAborted = state !== undefined && (state.isAborted || state.isAbortAsked);
  const isUnfinished = isSettled && state.runKey !== state.stableKey && !state.isDeleted;
  return {
    place,
    isKnown: isKnown && isSettled,
    wanted: state?.images ?? [],
    serving,
    isFinished: isSettled && state.runKey === state.stableKey && serves,
    isAborted,
    progress: !isUnfinished ? undefined : state.isAborted ? "aborted" : isAborted ? undefined : "underWay",
    pauses: state?.pauses,
  };
}

/** Returns the barrier of a rollout that has this view in its cluster: if another is recorded, its state is not known. */
export function compareWithCluster(barrier: Barrier, viewDigest: string | undefined): Barrier {
  return viewDigest === barrier.viewDigest ? barrier : { ...barrier, own: { ...barrier.own, isKnown: false } };
}

/**
 * Returns what keeps a rollout from passing the pauses that an action would take it past; undefined if nothing does. It
 * may pass its k-th pause only once every other member of the set that receives, runs or has not begun the version has
 * reached its own k-th pause of that version, or has finished it. Members are compared by what was recorded of each and
 * by no clock, so a late record can only hold back. `mayName` says which members the asker may see.
 */
export function findBarrierBlock({
  passes,
  passesPauses,
  barrier: { own, sets },
  mayName,
}: {
  passes: ActionEntry["passes"];
  passesPauses: readonly number[];
  barrier: Barrier;
  mayName: (place: ObjectRef) => boolean;
}): BarrierBlock | undefined {
  if (own.isKnown && own.isFinished) return undefined;
  if (passes === undefined && passesPauses.length === 0) return undefined;
  const number = own.isKnown ? findLastPassed({ passes, passesPauses, pauses: own.pauses }) : Number.POSITIVE_INFINITY;
  if (number === 0) return undefined;
  const blocking = sets.flatMap(({ name, others }) => {
    const together = `Set "${name}" passes its pauses together.`;
    if (!own.isKnown)
      return { name, because: `${together} The newest state of this rollout is not known yet: look again.` };
    const behind = listBehind({ own, others, number });
    return behind.length === 0 ? [] : { name, because: `${together} ${nameBehind({ behind, number, mayName })}` };
  });
  if (blocking.length === 0) return undefined;
  return {
    set: blocking.map(({ name }) => name).join(", "),
    because: blocking.map(({ because }) => because).join(" "),
  };
}

/** Lists the members of a set that are at a pause and may not pass it yet, judging each version and pause once. */
export function listHeldBack(members: readonly BarrierMember[]): BarrierMember[] {
  const judged = new Map<string, boolean>();
  return members.filter((own) => {
    const { isKnown, isFinished, isAborted, pauses } = own;
    if (!isKnown || isFinished || isAborted || pauses === undefined || pauses.reached <= pauses.passed) return false;
    const number = pauses.reached;
    const key = JSON.stringify([number, imagesOfRelease(own)]);
    // A member that has reached this pause itself is not behind.
    const isHeld = judged.get(key) ?? listBehind({ own, others: members, number }).length > 0;
    judged.set(key, isHeld);
    return isHeld;
  });
}

/** Returns the number, from 1, of the last pause that is passed: 0 if none is, infinite if the pauses are not known. */
function findLastPassed({
  passes,
  passesPauses,
  pauses,
}: Pick<Parameters<typeof findBarrierBlock>[0], "passes" | "passesPauses"> & {
  pauses: PausePlace | undefined;
}): number {
  if (pauses === undefined) return Number.POSITIVE_INFINITY;
  const { steps, reached, passed, isTimed } = pauses;
  const isAtPause = reached > passed;
  const own =
    passes === "rest"
      ? passed < steps.length
        ? steps.length
        : 0
      : isAtPause && (passes === "pause" || (passes === "timed" && isTimed))
        ? reached
        : 0;
  const named = passesPauses.map((index) => steps.indexOf(index) + 1 || Number.POSITIVE_INFINITY);
  return Math.max(own, ...named);
}

/** Lists the members that have not reached this pause of the version that a rollout wants. */
function listBehind({
  own,
  others,
  number,
}: {
  own: BarrierMember;
  others: readonly BarrierMember[];
  number: number;
}): BarrierMember[] {
  const release = imagesOfRelease(own).map(parseImage);
  // Without a version to compare, each may be concerned.
  if (release.length === 0) return [...others];
  return listTakingPart(release, others).filter((member) => countReached(member, release) < number);
}

/** A release is about the images that it changes; about all, if it changes none. */
export function imagesOfRelease(member: BarrierMember): readonly string[] {
  const changed = changedImages(member);
  return changed.length > 0 ? changed : member.wanted;
}

/** Lists the images that it wants and that do not serve. */
export function changedImages({ wanted, serving }: BarrierMember): readonly string[] {
  return wanted.filter((image) => !serving.includes(image));
}

/** Lists the members that have the version, and those that run another version of the same images. */
function listTakingPart(release: readonly ImageParts[], members: readonly BarrierMember[]): BarrierMember[] {
  const repositories = new Set(release.map(({ repository }) => repository));
  for (const { wanted, serving } of members)
    for (const image of [...wanted, ...serving].map(parseImage))
      if (release.some((part) => isSameVersion(part, image))) repositories.add(image.repository);
  return members.filter(({ wanted, serving }) => {
    const images = [...wanted, ...serving];
    return images.length === 0 || images.some((image) => repositories.has(parseImage(image).repository));
  });
}

function isSameVersion(one: ImageParts, other: ImageParts): boolean {
  if (one.versions.length === 0 && other.versions.length === 0) return one.repository === other.repository;
  return one.versions.some((version) => other.versions.includes(version));
}

/** Returns whether images have the version: one has it, and none that the release has too has another. */
export function hasVersionOf(images: readonly string[], release: readonly ImageParts[]): boolean {
  const parts = images.map(parseImage);
  const isOther = (image: ImageParts) => {
    const alike = release.filter(({ repository }) => repository === image.repository);
    return alike.length > 0 && !alike.some((part) => isSameVersion(part, image));
  };
  return !parts.some(isOther) && parts.some((image) => release.some((part) => isSameVersion(part, image)));
}

/** Counts the pauses of the version that a member has reached: infinite if it has finished it. */
function countReached(member: BarrierMember, release: readonly ImageParts[]): number {
  const { isKnown, wanted, serving, isFinished, isAborted, pauses } = member;
  if (!isKnown || wanted.length === 0) return 0;
  if (!hasVersionOf(wanted, release)) return hasVersionOf(serving, release) ? Number.POSITIVE_INFINITY : 0;
  if (isFinished) return Number.POSITIVE_INFINITY;
  return isAborted || pauses === undefined ? 0 : pauses.reached;
}

/** Members that are named; the others are counted. */
const mostNamed = 3;

function nameBehind({
  behind,
  number,
  mayName,
}: {
  behind: readonly BarrierMember[];
  number: number;
  mayName: (place: ObjectRef) => boolean;
}): string {
  const named = behind
    .map(({ place }) => place)
    .filter(mayName)
    .slice(0, mostNamed)
    .map(({ cluster, namespace, name }) => `${namespace}/${name} in ${cluster}`);
  const rest = behind.length - named.length;
  const more =
    named.length === 0 ? (rest === 1 ? "1 member" : `${formatCount(rest)} members`) : `${formatCount(rest)} more`;
  const list = formatList(rest === 0 ? named : [...named, more]);
  return `${Number.isFinite(number) ? `Not at pause ${number} yet` : "Not finished yet"}: ${list}.`;
}
