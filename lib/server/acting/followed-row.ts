import type { Pool } from "pg";
import type { ActionRow } from "#lib/server/acting/action-store.ts";
import type { ClusterClient } from "#lib/server/kubernetes/cluster-client-types.ts";

/** An action that is followed, with what is recorded of its object. */
export type Followed = ActionRow & {
  /** Past the deadline by which an effect was to be expected. */
  is_late: boolean;
  is_grace_over: boolean;
  /** Past the time for which it is watched. */
  is_over: boolean;
  /** The cluster itself is to be asked. */
  is_look_due: boolean;
  recorded: unknown;
  recorded_version: string | null;
  /** Of what shows the effect: the rollout, or the run or Experiment that was acted on. */
  seen_version: string | null;
};

export type FollowPass = {
  pool: Pool;
  clusterFor: (cluster: string) => ClusterClient | undefined;
  /** Clusters that gave no answer in this pass: each is waited for once only. */
  silent: Set<string>;
  /** Hears of what is settled without having been understood, and of what failed. */
  onError?: ((error: unknown, actionId: string) => void) | undefined;
};

export type FollowOne = FollowPass & { row: Followed };
