import { type BarrierMember, changedImages, hasVersionOf, imagesOfRelease } from "#lib/domain/acting/barrier.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { parseImage } from "#lib/domain/delivery/version-set.ts";
import { cutText } from "#lib/util/text.ts";
import { formatCount, formatCountOf, formatList } from "#lib/util/words.ts";

/** A version that was aborted in some members of a set while others still roll it out. */
export type PartAborted<Each> = {
  /** The images that the first aborted release changes. */
  images: readonly string[];
  aborted: readonly Each[];
  underWay: readonly Each[];
};

/**
 * Finds the versions of a set that are aborted in one member and under way in another. Both must change to the version:
 * an image that they have in common anyway, such as a proxy beside the service, says nothing. A release that changes no
 * image is the same only where all images are.
 */
export function findPartAborted<Each extends { member: BarrierMember }>(members: readonly Each[]): PartAborted<Each>[] {
  const underWay = members.filter(({ member }) => member.progress === "underWay");
  if (underWay.length === 0) return [];
  const found: { images: readonly string[]; isSame: (member: BarrierMember) => boolean; aborted: Each[] }[] = [];
  for (const each of members) {
    if (each.member.progress !== "aborted" || each.member.wanted.length === 0) continue;
    const same = found.find(({ isSame }) => isSame(each.member));
    if (same !== undefined) same.aborted.push(each);
    else found.push({ images: imagesOfRelease(each.member), isSame: comparerOf(each.member), aborted: [each] });
  }
  return found.flatMap(({ images, isSame, aborted }) => {
    const own = underWay.filter(({ member }) => isSame(member));
    return own.length === 0 ? [] : [{ images, aborted, underWay: own }];
  });
}

/** Returns whether another member's release is about the same version. */
function comparerOf(member: BarrierMember): (other: BarrierMember) => boolean {
  const release = changedImages(member).map(parseImage);
  const wanted = member.wanted.toSorted().join("\n");
  return release.length > 0
    ? (other) => hasVersionOf(changedImages(other), release)
    : (other) => changedImages(other).length === 0 && other.wanted.toSorted().join("\n") === wanted;
}

/** Lists the versions of images, each once: tags if they have any, else digests or the images themselves. */
export function listVersions(images: readonly string[]): string[] {
  return [...new Set(images.map((image) => parseImage(image).versions[0] ?? image))];
}

/** Names at most three of them. */
export function nameVersions(images: readonly string[]): string {
  return cutText(formatList(listVersions(images).slice(0, mostNamed)), 200);
}

/** Members and versions that are named; the others are counted. */
const mostNamed = 3;

/** Says who was aborted and how many go on, such as "v2 was aborted in shop/web (prod-eu), and ...". */
export function describePartAborted({
  set,
  images,
  aborted,
  hidden,
  underWay,
}: {
  set: string;
  images: readonly string[];
  /** Those that the reader may see, and the number of the others. */
  aborted: readonly ObjectRef[];
  hidden: number;
  underWay: number;
}): string {
  const named = aborted.slice(0, mostNamed).map(({ cluster, namespace, name }) => `${namespace}/${name} (${cluster})`);
  const rest = aborted.length - named.length + hidden;
  const places =
    named.length === 0
      ? [formatCountOf(rest, "rollout")]
      : rest === 0
        ? named
        : [...named, `${formatCount(rest)} more`];
  const others = `${formatCountOf(underWay, "other rollout")} of set "${set}" still ${underWay === 1 ? "receives" : "receive"} it`;
  return `${nameVersions(images)} was aborted in ${formatList(places)}, and ${others}.`;
}

type Watched = { id: string; runKey: string; member: BarrierMember };

/**
 * When each release was last seen under way, in milliseconds. Kept only in the process, so that a recorder that starts
 * or has lost its sources for a while takes no abort for a new one.
 */
export type LastUnderWay = Map<string, number>;

/** An abort counts as new for this long after its release was last seen under way. */
const newForMs = 60_000;

function keyOf({ id, runKey }: Pick<Watched, "id" | "runKey">): string {
  return `${id} ${runKey}`;
}

/** Notes which releases are under way now, by a live source, and forgets those that are so no longer. */
export function noteUnderWay(last: LastUnderWay, members: Iterable<Watched>, nowMs: number): void {
  for (const each of members) {
    const { isKnown, progress } = each.member;
    if (isKnown && progress === "underWay") last.set(keyOf(each), nowMs);
  }
  for (const [key, at] of last) if (nowMs - at > newForMs) last.delete(key);
}

/** Forgets releases whose abort was seen: members that begin later are not aborted for it. */
export function forgetAborted(last: LastUnderWay, members: Iterable<Watched>): void {
  for (const each of members) if (each.member.isKnown && each.member.progress === "aborted") last.delete(keyOf(each));
}

/**
 * Finds the aborts that are new, each with the members to abort with it. Only members with a live source count: of the
 * others it is not known whether they are still aborted or under way. Nor do those whose running images are not known:
 * every image would count as changed.
 */
export function findNewAborts<Each extends Watched>(
  members: readonly Each[],
  last: LastUnderWay,
  nowMs: number,
): PartAborted<Each>[] {
  return findPartAborted(members.filter(({ member }) => member.isKnown && member.serving.length > 0)).flatMap(
    (found) => {
      const aborted = found.aborted.filter((each) => nowMs - (last.get(keyOf(each)) ?? -Infinity) <= newForMs);
      return aborted.length === 0 ? [] : [{ ...found, aborted }];
    },
  );
}
