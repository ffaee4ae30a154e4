import type { Actor } from "#lib/server/auth/actor.ts";
import type { ClusterConfig } from "#lib/server/config/config-schema.ts";
import type { ClusterIdentity } from "#lib/server/kubernetes/cluster-client-types.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

/**
 * The name and groups under which a cluster knows the actor, by the cluster's mapping of claims. Throws
 * `cluster_refused` where the mapping gives no usable name: never is a request sent as Gatehouse itself instead.
 */
export function clusterIdentityOf({ actor, cluster }: { actor: Actor; cluster: ClusterConfig }): ClusterIdentity {
  const { usernameClaim, usernamePrefix, groupsClaim, groupsPrefix } = cluster.impersonation;
  const name = usernameClaim === "preferred_username" ? actor.username : textClaim(actor.claims[usernameClaim]);
  const groups = groupsClaim === "groups" ? actor.groups : listClaim(actor.claims[groupsClaim]);
  const identity = {
    username: name === undefined || name === "" ? "" : `${usernamePrefix}${name}`,
    groups: groups.filter((group) => group !== "").map((group) => `${groupsPrefix}${group}`),
  };
  for (const text of [identity.username, ...identity.groups]) {
    if (text.trim() === "" || /^\s*system:/i.test(text))
      throw new ServiceError(
        "cluster_refused",
        `Your identity gives no name that may act at ${cluster.name}: ${JSON.stringify(text)} from claim ${usernameClaim} or ${groupsClaim}.`,
      );
  }
  return identity;
}

function textClaim(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function listClaim(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === "string") : [];
}
