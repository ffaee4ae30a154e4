/** Roles of the ReplicaSets that run an image: of the version that arrives, and of the one that serves. */
export const nextTags: readonly string[] = ["canary", "preview"];
export const servingTags: readonly string[] = ["stable", "active"];

/**
 * Reads the version in the tags of the images with these names, without a leading `v`: `ghcr.io/org/flagger:1.44.0` is
 * 1.44.0. Undefined without a version, or if the images disagree: the caller must then assume the worst.
 */
export function readImageVersion(images: readonly string[], names: readonly string[]): string | undefined {
  const versions = new Set<string>();
  for (const image of images) {
    const { name, tag } = splitImage(image);
    if (!names.includes(name)) continue;
    const version = /^v?(?<version>\d+\.\d+\.\d\S*)$/.exec(tag ?? "")?.groups?.version;
    if (version === undefined) return undefined;
    versions.add(version);
  }
  return versions.size === 1 ? [...versions][0] : undefined;
}

/** Returns whether an image has one of these names, in any registry and version. */
export function isImageNamed(image: string, names: readonly string[]): boolean {
  return names.includes(splitImage(image).name);
}

/** Returns the tag of an image, as it is; undefined if it has none. */
export function readImageTag(image: string): string | undefined {
  return splitImage(image).tag;
}

/** `registry:5000/org/name:tag@sha256:digest`: the repository is all before the tag, the name its last part. */
type ImageParts = { repository: string; name: string; tag: string | undefined; digest: string | undefined };

/** Splits an image reference: a tag cannot contain a slash, a registry's port is before one. */
export function splitImage(image: string): ImageParts {
  const [reference = "", digest] = image.split("@");
  const path = reference.slice(0, reference.lastIndexOf("/") + 1);
  const [name = "", tag] = reference.slice(path.length).split(":");
  return { repository: `${path}${name}`, name, tag, digest };
}
