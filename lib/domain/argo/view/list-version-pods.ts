import type { DeliverySummary } from "#lib/domain/delivery/provider.ts";
import type { VersionPods } from "#lib/domain/delivery/version-pods.ts";

/**
 * Lists the ReplicaSets that have pods or a role, newest first. After a blue-green switch the active version is still
 * the new one, until the controller calls it stable.
 */
export function listVersionPods({ replicaSets }: Pick<DeliverySummary, "replicaSets">): VersionPods[] {
  return replicaSets
    .filter(({ tags, desired, replicas }) => tags.length > 0 || desired > 0 || replicas > 0)
    .map(({ name, tags, revision, images }) => ({
      owner: { kind: "ReplicaSet", name },
      side: tags.includes("stable") ? "stable" : tags.length > 0 ? "new" : "other",
      revision: revision ?? null,
      images,
    }));
}
