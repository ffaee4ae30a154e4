import type { RolloutImage, RolloutSummary } from "#lib/contract/rollout.ts";
import { nextTags, servingTags, splitImage } from "#lib/domain/kube/read-image-version.ts";

export type ImagePair = { next: string | undefined; stable: string | undefined };

function findTagged(images: readonly RolloutImage[], wanted: readonly string[]): string | undefined {
  return images.find(({ tags }) => tags.some((tag) => wanted.includes(tag)))?.image;
}

/** Returns the image being rolled out and the one that serves, if the ReplicaSets reveal them. */
export function pairImages(images: readonly RolloutImage[]): ImagePair {
  const stable = findTagged(images, servingTags);
  const next = findTagged(images, nextTags);
  if (next !== undefined && next !== stable) return { next, stable };
  return { next: undefined, stable: stable ?? images[0]?.image };
}

/** Returns the part of an image reference that changes between releases: tag or short digest. */
export function shortenImage(image: string): string {
  const at = image.lastIndexOf("@");
  if (at !== -1) return image.slice(at + 1).replace(/^sha256:(.{12}).*$/, "sha256:$1");
  const name = image.slice(image.lastIndexOf("/") + 1);
  const colon = name.indexOf(":");
  return colon === -1 ? name : name.slice(colon + 1);
}

type VersionSource = {
  replicaSets: readonly { podHash: string; revision: number | null; images: readonly string[] }[];
  images: readonly RolloutImage[];
  revisionKey: string;
  stableRevisionKey: string | null;
};

/**
 * Names the version of a revision key: the tags of its images, else its revision, else the bare key. Flagger's canaries
 * have no ReplicaSets here: their images are those of the two workloads.
 */
export function nameVersion(source: VersionSource, key: string): string {
  const found = source.replicaSets.find(({ podHash }) => podHash === key);
  if (found === undefined) return nameByRole(source, key) ?? key;
  if (found.images.length > 0) return found.images.map(shortenImage).join(", ");
  return found.revision === null ? key : `revision ${found.revision}`;
}

function nameByRole({ images, revisionKey, stableRevisionKey }: VersionSource, key: string): string | undefined {
  const tags = key === stableRevisionKey ? servingTags : key === revisionKey ? nextTags : [];
  const image = findTagged(images, tags);
  return image && shortenImage(image);
}

type Versioned = VersionSource & {
  aborted: boolean;
  weight: { actual: number | null } | null;
};

/**
 * Describes both versions: "v2.31.0 (stable v2.30.4)"; after an abort "v2.31.0, back on v2.30.4", or "v2.31.0, aborted,
 * stable is v2.30.4" while it still gets traffic.
 */
export function describeVersions(versions: Versioned): string {
  const { images, revisionKey, stableRevisionKey, aborted } = versions;
  const wanted = nameVersion(versions, revisionKey);
  if (stableRevisionKey === null || stableRevisionKey === revisionKey) {
    const { stable } = pairImages(images);
    return wanted === revisionKey && stable !== undefined ? shortenImage(stable) : wanted;
  }
  const stable = nameVersion(versions, stableRevisionKey);
  return aborted ? `${wanted}, ${afterAbort(versions)} ${stable}` : `${wanted} (stable ${stable})`;
}

type MaybeAborted = Pick<RolloutSummary, "kind" | "images" | "abortPoint">;

/** Names the version that a traffic weight is of, "on v2.31.0", after an abort; undefined if the weight is not known. */
export function nameAbortedTraffic(rollout: MaybeAborted & Pick<Versioned, "weight">): string | undefined {
  const pair = (rollout.weight?.actual ?? null) === null ? undefined : pairAborted(rollout);
  return pair && `on ${shortenImage(pair.aborted)}`;
}

/** Pairs the images in which the two versions differ, of the same repository if there are such: not a sidecar of both. */
function pairAborted({ kind, images, abortPoint }: MaybeAborted): { aborted: string; stable: string } | undefined {
  if (kind !== "Rollout") return undefined;
  const all = images.filter(({ tags }) => tags.some((tag) => servingTags.includes(tag))).map(({ image }) => image);
  const wanted = abortPoint?.images ?? [];
  const serving = all.filter((image) => !wanted.includes(image));
  const pairs = wanted
    .filter((image) => !all.includes(image))
    .flatMap((aborted) => serving.map((stable) => ({ aborted, stable })));
  return pairs.find(({ aborted, stable }) => repositoryOf(aborted) === repositoryOf(stable)) ?? pairs[0];
}

function repositoryOf(image: string): string {
  return splitImage(image).repository;
}

/** Describes both versions of an aborted rollout: "v2.31.0, back on v2.30.4"; undefined if they are not known. */
export function describeAborted(rollout: MaybeAborted & Pick<Versioned, "weight">): string | undefined {
  const pair = pairAborted(rollout);
  return pair && `${shortenImage(pair.aborted)}, ${afterAbort(rollout)} ${shortenImage(pair.stable)}`;
}

/** The words before the stable version: an aborted version may keep traffic, as with dynamicStableScale. */
export function afterAbort({ weight }: Pick<Versioned, "weight">): "back on" | "aborted, stable is" {
  // Blue-green has no weight.
  return weight !== null && weight.actual !== 0 ? "aborted, stable is" : "back on";
}

/** Returns "v2.31.0 (stable v2.30.4)" from the images only; empty if no other version is being rolled out. */
export function describeVersionPair(images: readonly RolloutImage[]): string {
  const { next, stable } = pairImages(images);
  if (next === undefined) return "";
  return stable === undefined ? shortenImage(next) : `${shortenImage(next)} (stable ${shortenImage(stable)})`;
}
