import type { RolloutImage } from "#lib/contract/rollout.ts";

export type ImagePair = { next: string | undefined; stable: string | undefined };

const nextTags = ["canary", "preview"];
const stableTags = ["stable", "active"];

/** The image that is on its way in and the one that serves, where the ReplicaSets tell. */
export function pairImages(images: readonly RolloutImage[]): ImagePair {
  const find = (wanted: readonly string[]) =>
    images.find(({ tags }) => tags.some((tag) => wanted.includes(tag)))?.image;
  const stable = find(stableTags);
  const next = find(nextTags);
  if (next !== undefined && next !== stable) return { next, stable };
  return { next: undefined, stable: stable ?? images[0]?.image };
}

/** The part of an image reference that changes between releases: tag or short digest. */
export function shortenImage(image: string): string {
  const at = image.lastIndexOf("@");
  if (at !== -1) return image.slice(at + 1).replace(/^sha256:(.{12}).*$/, "sha256:$1");
  const name = image.slice(image.lastIndexOf("/") + 1);
  const colon = name.indexOf(":");
  return colon === -1 ? name : name.slice(colon + 1);
}
