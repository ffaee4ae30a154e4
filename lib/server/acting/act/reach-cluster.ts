import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { makeClusterIdentity } from "#lib/server/acting/permission/cluster-identity.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";

/**
 * Resolves with the client of a cluster and the actor's identity there. Rejects with `read_only` if the config no longer names the
 * cluster, with `forbidden` if the actor has no identity there.
 */
export async function reachCluster(
  { runtime, actor }: ActingContext,
  name: string,
): Promise<{ client: ClusterClient; as: ClusterIdentity; now: () => Date }> {
  const cluster = runtime.config().config.clusters.find((candidate) => candidate.name === name);
  const client = runtime.cluster(name);
  if (cluster === undefined || client === undefined)
    throw new ServiceError("read_only", `Cluster ${name} is no longer in the config.`);
  return { client, as: makeClusterIdentity({ actor, cluster }), now: runtime.now };
}
