import { alreadyRunning, firstDeployment, type Release } from "#lib/domain/delivery/derive-releases.ts";
import { splitImage } from "#lib/domain/kube/read-image-version.ts";
import type { ServiceReport } from "./notifiable-event.ts";

/** A release that was promoted before the one that is described. */
type Promoted = Pick<Release, "runKey" | "images">;

/**
 * Returns what the end of a release means for the service; undefined if CDEvents has no word for it, or if the version
 * that runs now is not recorded. `before`: the newest promotion before it. `isReturn`: its version was promoted before.
 */
export function describeService(
  release: Pick<Release, "state" | "runKey" | "revision" | "message" | "images">,
  { before, isReturn }: { before: Promoted | undefined; isReturn: boolean },
): Omit<ServiceReport, "environment"> | undefined {
  const { state, runKey, revision, message, images } = release;
  const replaced = before?.images ?? [];
  if (state === "aborted") return withArtifacts("rolledback", replaced, images);
  // Nothing was released: the version ran before Gatehouse saw the rollout, or was the newest anyway.
  if (state !== "promoted" || message === alreadyRunning || before?.runKey === runKey) return undefined;
  if (isReturn) return withArtifacts("rolledback", images, replaced);
  const isFirst = before === undefined && (revision === 1 || message === firstDeployment);
  return withArtifacts(isFirst ? "deployed" : "upgraded", images, replaced);
}

/** The artifact is the first image that the other version does not have. */
function withArtifacts(predicate: ServiceReport["predicate"], images: readonly string[], others: readonly string[]) {
  const changed = images.find((image) => !others.includes(image));
  const sorted = changed === undefined ? images : [changed, ...images.filter((image) => image !== changed)];
  const [artifactId, ...more] = sorted.flatMap((image) => formatPurl(image) ?? []);
  return artifactId === undefined ? undefined : { predicate, artifacts: [artifactId, ...more] };
}

const longestImage = 500;
const imageForm = /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)*(?::[\w.-]+)?(?:@sha(?:256|512):[0-9a-f]{64,128})?$/;

/**
 * Formats an image as a package URL of the type `oci`, in its canonical form: the digest is its version, the tag a
 * qualifier. Undefined for a text that is not the reference of an image.
 */
export function formatPurl(image: string): string | undefined {
  if (image.length > longestImage || !imageForm.test(image)) return undefined;
  const { repository, name, tag, digest } = splitImage(image);
  const qualifiers = [
    ...(repository === name ? [] : [`repository_url=${encode(repository)}`]),
    ...(tag === undefined ? [] : [`tag=${encode(tag)}`]),
  ];
  const version = digest === undefined ? "" : `@${encode(digest)}`;
  return `pkg:oci/${encode(name.toLowerCase())}${version}${qualifiers.length === 0 ? "" : `?${qualifiers.join("&")}`}`;
}

function encode(text: string): string {
  return encodeURIComponent(text).replaceAll("%3A", ":");
}
