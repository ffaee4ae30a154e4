import type { PodOwner } from "#lib/domain/kube/find-owned-pods.ts";

/** The owner of the pods of one version of a rollout. */
export type VersionPods = {
  owner: PodOwner;
  /** `new`: the version being rolled out; `stable`: the one that it is compared with. */
  side: "new" | "stable" | "other";
  revision: number | null;
  images: string[];
  /** The Experiment that runs them beside the rollout's own versions, and its name for this version. */
  experiment?: { uid: string; name: string; template: string };
  /** The analysis run that measured by this Job, which runs no version. */
  run?: { uid: string; name: string };
};
