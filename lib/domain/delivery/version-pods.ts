import type { PodOwner } from "#lib/domain/kube/find-owned-pods.ts";

/** What runs the pods of one version of a rollout. */
export type VersionPods = {
  owner: PodOwner;
  /** `new`: the version being rolled out; `stable`: the one that it is compared with. */
  side: "new" | "stable" | "other";
  revision: number | null;
  images: string[];
};
