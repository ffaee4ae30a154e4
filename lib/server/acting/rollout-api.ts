import { parseRollout, type RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { type FetchFailure, fetchObject, objectPath } from "#lib/server/acting/object-api.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/kubernetes/cluster-client-types.ts";

export type RolloutAddress = { namespace: string; name: string };

/** `date`: the cluster's own time of the answer. */
export type FetchedRollout = { kind: "found"; rollout: RolloutObject; date: Date | undefined } | FetchFailure;

/** Reads one Rollout, as the identity where one is given. Never throws for what a cluster may do. */
export async function fetchRollout({
  client,
  address: { namespace, name },
  as,
}: {
  client: ClusterClient;
  address: RolloutAddress;
  as?: ClusterIdentity;
}): Promise<FetchedRollout> {
  const fetched = await fetchObject({ client, path: objectPath({ resource: "rollouts", namespace, name }), as });
  if (fetched.kind !== "found") return fetched;
  const parsed = parseRollout(fetched.object);
  if (!parsed.ok) return { kind: "unusable", message: parsed.reason };
  const { metadata } = parsed.value;
  if (metadata.name !== name || metadata.namespace !== namespace)
    return { kind: "unusable", message: `the cluster answered with ${metadata.namespace}/${metadata.name}` };
  return { kind: "found", rollout: parsed.value, date: fetched.date };
}
