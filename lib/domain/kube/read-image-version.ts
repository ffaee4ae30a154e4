/**
 * Reads the version in the tags of the images with these names, without a leading `v`: `ghcr.io/org/flagger:1.44.0` is
 * 1.44.0. Undefined without a version, or if the images disagree: the caller must then assume the worst.
 */
export function readImageVersion(images: readonly string[], names: readonly string[]): string | undefined {
  const versions = new Set<string>();
  for (const image of images) {
    const { name, tag } = partsOf(image);
    if (name === undefined || !names.includes(name)) continue;
    const version = /^v?(?<version>\d+\.\d+\.\d\S*)$/.exec(tag ?? "")?.groups?.version;
    if (version === undefined) return undefined;
    versions.add(version);
  }
  return versions.size === 1 ? [...versions][0] : undefined;
}

/** Returns whether an image has one of these names, in any registry and version. */
export function isImageNamed(image: string, names: readonly string[]): boolean {
  const { name } = partsOf(image);
  return name !== undefined && names.includes(name);
}

/** Returns the tag of an image, as it is; undefined if it has none. */
export function readImageTag(image: string): string | undefined {
  return partsOf(image).tag;
}

/** Splits `registry:5000/org/name:tag@sha256:digest`: a tag cannot contain a slash, a registry's port is before one. */
function partsOf(image: string): { name: string | undefined; tag: string | undefined } {
  const [reference = ""] = image.split("@");
  const last = reference.slice(reference.lastIndexOf("/") + 1);
  const [name, tag] = last.split(":");
  return { name, tag };
}
