import type { Pool } from "pg";
import type { Followed } from "#lib/server/acting/follow/due-actions.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";

export type FollowPass = {
  pool: Pool;
  clusterFor: (cluster: string) => ClusterClient | undefined;
  /** Clusters that did not answer in this pass: each is waited for only once. */
  silent: Set<string>;
  /** Called for actions that are settled without having been understood, and for failures. */
  onError?: ((error: unknown, actionId: string) => void) | undefined;
};

export type FollowOne = FollowPass & { row: Followed };
