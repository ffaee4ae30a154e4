import type { Actor } from "#lib/server/auth/actor.ts";
import type { ClusterConfig } from "#lib/server/config/config-schema.ts";
import type { ClusterIdentity } from "#lib/server/kubernetes/cluster-client-types.ts";
import { ForbiddenIdentityError } from "#lib/server/kubernetes/cluster-errors.ts";
import { impersonationHeaders } from "#lib/server/kubernetes/impersonation-headers.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

/**
 * Who the actor is at a cluster, by that cluster's mapping of claims. A token acts as its owner. Throws `forbidden`
 * for a claim that is missing or empty, and for names of Kubernetes' own (`system:`): there is no fallback, since a
 * fallback would be somebody else's rights.
 */
export function makeClusterIdentity({
  actor,
  cluster,
}: {
  actor: Pick<Actor, "claims">;
  cluster: Pick<ClusterConfig, "name" | "impersonation">;
}): ClusterIdentity {
  const { usernameClaim, usernamePrefix, groupsClaim, groupsPrefix } = cluster.impersonation;
  const username = actor.claims[usernameClaim];
  if (typeof username !== "string" || username.trim() === "")
    throw refuse(cluster.name, `your sign-in gives no claim ${usernameClaim} to name you there`);
  const groups = readGroups(actor.claims[groupsClaim]);
  if (groups === undefined) throw refuse(cluster.name, `your claim ${groupsClaim} is no list of names`);
  const identity = {
    username: `${usernamePrefix}${username}`,
    groups: groups.map((group) => `${groupsPrefix}${group}`),
  };
  assertSendable({ identity, cluster: cluster.name });
  return identity;
}

/** The client would refuse it too, but only once a request is made: a refusal should name its reason before that. */
function assertSendable({ identity, cluster }: { identity: ClusterIdentity; cluster: string }): void {
  try {
    impersonationHeaders(identity);
  } catch (error) {
    if (error instanceof ForbiddenIdentityError) throw refuse(cluster, error.message);
    throw error;
  }
}

function readGroups(claim: unknown): string[] | undefined {
  if (claim === undefined || claim === null) return [];
  const list: unknown[] = Array.isArray(claim) ? claim : [claim];
  return list.every((group): group is string => typeof group === "string" && group.trim() !== "") ? list : undefined;
}

function refuse(cluster: string, why: string): ServiceError {
  return new ServiceError("forbidden", `You cannot act at cluster ${cluster}: ${why}.`);
}
