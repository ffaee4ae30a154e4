import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { nextTags, servingTags } from "#lib/domain/kube/read-image-version.ts";

/** An image with the roles of the ReplicaSets that run it, as lists and pages show it. */
export type TaggedImage = { image: string; tags: readonly string[] };

/** Names of the incoming version and of the one that serves now; undefined if only the pod hash is known. */
export type VersionNames = { next: string | undefined; stable: string | undefined };

/**
 * Names both versions by their images' tags. Images that both run, such as a sidecar, name neither. The template names
 * the new one if it has no running pods.
 */
export function nameVersions({
  rollout: { spec },
  images = [],
}: {
  rollout: RolloutObject;
  images?: readonly TaggedImage[] | undefined;
}): VersionNames {
  const has = ({ tags }: TaggedImage, wanted: readonly string[]) => tags.some((tag) => wanted.includes(tag));
  const template = (spec.template?.spec?.containers ?? []).flatMap(({ image }) => (image === undefined ? [] : [image]));
  const stable = images.filter((one) => has(one, servingTags)).map(({ image }) => image);
  const tagged = images.filter((one) => has(one, nextTags)).map(({ image }) => image);
  const incoming = tagged.length > 0 ? tagged : template;
  const apart = (mine: readonly string[], others: readonly string[]) => mine.filter((image) => !others.includes(image));
  const next = nameOf(apart(incoming, stable));
  return { next, stable: next === undefined ? undefined : nameOf(apart(stable, incoming)) };
}

/** Returns the name; undefined for no image, and for too many to name a version. */
function nameOf(images: readonly string[]): string | undefined {
  const tags = [...new Set(images.map(tagOf))];
  return tags.length === 0 || tags.length > 2 ? undefined : tags.join(" and ");
}

/** Returns the part of an image that differs between releases: the tag, or the beginning of the digest. */
function tagOf(image: string): string {
  const at = image.lastIndexOf("@");
  if (at !== -1) return image.slice(at + 1).replace(/^sha256:(.{12}).*$/, "sha256:$1");
  const name = image.slice(image.lastIndexOf("/") + 1);
  const colon = name.indexOf(":");
  return colon === -1 ? name : name.slice(colon + 1);
}
