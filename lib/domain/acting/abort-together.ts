import { type BarrierMember, hasVersionOf, imagesOfRelease } from "#lib/domain/acting/barrier.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { type ImageParts, parseImage } from "#lib/domain/delivery/version-set.ts";
import { cutText } from "#lib/util/text.ts";
import { formatCount, formatCountOf, formatList } from "#lib/util/words.ts";

/** A version that was aborted in some members of a set while others still roll it out. */
export type PartAborted<Each> = {
  /** The images that the first aborted release changes. */
  images: readonly string[];
  aborted: readonly Each[];
  underWay: readonly Each[];
};

/** Finds the versions of a set that are aborted in one member and under way in another. */
export function findPartAborted<Each extends { member: BarrierMember }>(members: readonly Each[]): PartAborted<Each>[] {
  const underWay = members.filter(({ member }) => member.progress === "underWay");
  if (underWay.length === 0) return [];
  const found: { images: readonly string[]; release: ImageParts[]; aborted: Each[] }[] = [];
  for (const each of members) {
    if (each.member.progress !== "aborted") continue;
    const images = imagesOfRelease(each.member);
    const same = found.find(({ release }) => hasVersionOf(images, release));
    if (same !== undefined) same.aborted.push(each);
    else if (images.length > 0) found.push({ images, release: images.map(parseImage), aborted: [each] });
  }
  return found.flatMap(({ images, release, aborted }) => {
    const own = underWay.filter(({ member }) => hasVersionOf(member.wanted, release));
    return own.length === 0 ? [] : [{ images, aborted, underWay: own }];
  });
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

/**
 * Finds the aborts that are new, each with the members to abort with it. Only members with a live source count: of the
 * others it is not known whether they are still aborted or under way.
 */
export function findNewAborts<Each extends Watched>(
  members: readonly Each[],
  last: LastUnderWay,
  nowMs: number,
): PartAborted<Each>[] {
  return findPartAborted(members.filter(({ member }) => member.isKnown)).flatMap((found) => {
    const aborted = found.aborted.filter((each) => nowMs - (last.get(keyOf(each)) ?? -Infinity) <= newForMs);
    return aborted.length === 0 ? [] : [{ ...found, aborted }];
  });
}
