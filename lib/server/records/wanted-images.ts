import { servingTags } from "#lib/domain/kube/read-image-version.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import { imagesOf } from "./release-row.ts";

/** The newest release of the revision that rollout `r` wants. */
export const currentRelease = fragment<{ r: "rollout" }>()
  .selectFrom("release as l")
  .select(["l.state as release_state", "l.images as release_images"])
  .whereRef("l.rollout_id", "=", "r.id")
  .whereRef("l.run_key", "=", "r.revision_key")
  .orderBy("l.attempt", "desc")
  .limit(1);

/** Returns the images of the revision that a rollout wants. */
export function wantedImagesOf(row: { images: Column.Images; release_images: unknown }): string[] {
  const current = imagesOf(row.release_images);
  if (current.length > 0) return current;
  // Without a release, the images that do not serve yet tell what the rollout receives.
  return row.images.flatMap(({ image, tags }) => (tags.some((tag) => servingTags.includes(tag)) ? [] : image));
}
