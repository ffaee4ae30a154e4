import type { Pool } from "pg";
import type { ActionRow } from "#lib/server/acting/action-store.ts";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";

/** An action that is followed, with the record of its object. */
export type Followed = ActionRow & {
  /** Past the deadline by which an effect was expected. */
  is_late: boolean;
  is_grace_over: boolean;
  /** Past the time for which it is watched. */
  is_over: boolean;
  /** A look at the cluster itself is due. */
  is_look_due: boolean;
  recorded: unknown;
  recorded_version: string | null;
  /** Version of the object that shows the effect: the rollout, or the run or Experiment that was acted on. */
  seen_version: string | null;
};

export type FollowPass = {
  pool: Pool;
  clusterFor: (cluster: string) => ClusterClient | undefined;
  /** Clusters that did not answer in this pass: each is waited for only once. */
  silent: Set<string>;
  /** Called for actions that are settled without having been understood, and for failures. */
  onError?: ((error: unknown, actionId: string) => void) | undefined;
};

export type FollowOne = FollowPass & { row: Followed };
