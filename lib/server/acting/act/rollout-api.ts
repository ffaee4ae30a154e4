import type { ActingProvider } from "#lib/domain/delivery/acting.ts";
import type { DeliveryObject, Provider } from "#lib/domain/delivery/provider.ts";
import type { ApiResource } from "#lib/domain/kube/api-resource.ts";
import type { ReadFailure } from "#lib/domain/kube/cluster-reader.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { fetchObject, objectPath } from "#lib/server/clusters/object-api.ts";

export type RolloutAddress = { namespace: string; name: string };

/** `date`: the cluster's own time when it answered. */
export type FetchedRollout = { kind: "found"; rollout: DeliveryObject; date: Date | undefined } | ReadFailure;

/** Reads one rollout, as the identity if one is given. Never throws for cluster errors. */
export async function fetchRollout({
  client,
  provider,
  address: { namespace, name },
  as,
}: {
  client: ClusterClient;
  provider: Provider;
  address: RolloutAddress;
  as?: ClusterIdentity;
}): Promise<FetchedRollout> {
  const fetched = await fetchObject({ client, path: rolloutPath(provider, { namespace, name }), as });
  if (fetched.kind !== "found") return fetched;
  const parsed = provider.parse(fetched.object);
  if (!parsed.ok) return { kind: "unusable", message: parsed.reason };
  const { metadata } = parsed.value;
  if (metadata.name !== name || metadata.namespace !== namespace)
    return { kind: "unusable", message: `the cluster answered with ${metadata.namespace}/${metadata.name}` };
  return { kind: "found", rollout: parsed.value, date: fetched.date };
}

export function rolloutPath({ acting, kind }: Provider, address: RolloutAddress): string {
  return objectPath({ resource: resourceOf(acting, kind), ...address });
}

/**
 * Returns the resource of a kind. Throws if the provider does not patch it: plans and stored actions name no other
 * kinds.
 */
export function resourceOf(acting: ActingProvider, kind: string): ApiResource {
  const resource = acting.resourceOf(kind);
  if (resource === undefined) throw new Error(`Gatehouse does not patch resources of kind ${kind}`);
  return resource;
}
