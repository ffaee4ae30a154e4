import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import type { ClusterIdentity, PersonMode } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { isForbiddenIdentityError } from "#lib/server/clusters/kubernetes/cluster-errors.ts";
import { impersonationHeaders, maySendUser, senderModeOf } from "#lib/server/clusters/kubernetes/sender-headers.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";

type Asking = {
  actor: Pick<Actor, "claims" | "type" | "hasNameOfRobot">;
  cluster: Pick<ClusterConfig, "name" | "impersonation" | "actAs">;
};

/**
 * Returns the actor's identity at a cluster, by that cluster's mapping of claims. A token acts as its owner. Throws
 * `forbidden` if a claim is missing or empty, for Kubernetes' own names (`system:`), and for a person named like a
 * robot. It never falls back: a fallback would grant another person's rights. The same checks apply if the service
 * account acts (docs/adr/0007).
 */
export function makeClusterIdentity({ actor, cluster }: Asking): ClusterIdentity {
  if (actor.type === "system") return { mode: "own", username: "gatehouse", groups: [] };
  const { usernameClaim, usernamePrefix, groupsClaim, groupsPrefix, groups: sent } = cluster.impersonation;
  if (actor.hasNameOfRobot === true)
    throw refuse(cluster.name, "your name is that of a robot in the role bindings, so you could be mistaken for it");
  const username = ownClaim(actor, usernameClaim);
  if (typeof username !== "string" || username.trim() === "")
    throw refuse(cluster.name, `${whatIsKnown(actor)} no claim ${usernameClaim} to identify you there`);
  const groups = readGroups(ownClaim(actor, groupsClaim));
  if (groups === undefined) throw refuse(cluster.name, `your claim ${groupsClaim} is not a list of names`);
  const identity: ClusterIdentity = {
    mode: senderModeOf(cluster),
    username: `${usernamePrefix}${username}`,
    groups: groups.filter((group) => matchesAny(sent, group)).map((group) => `${groupsPrefix}${group}`),
  };
  assertSendable({ identity, cluster: cluster.name });
  if (identity.mode === "user" && !maySendUser(cluster, identity.username))
    throw refuse(cluster.name, "its config names the users who may act there (impersonation.users), and not you");
  return identity;
}

/** Returns the same for display: the identity that the actor would have, or why it has none. */
export function describeClusterIdentity(asking: Asking): ClusterIdentity | { mode: PersonMode; problem: string } {
  try {
    return makeClusterIdentity(asking);
  } catch (error) {
    if (isServiceError(error)) return { mode: senderModeOf(asking.cluster), problem: error.message };
    throw error;
  }
}

function ownClaim({ claims }: Asking["actor"], name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

function whatIsKnown({ type }: Asking["actor"]): string {
  return type === "token" ? "a token keeps only its owner's name and groups," : "your sign-in gives";
}

/** Throws for an identity that the client would refuse at the request: a refusal should name its reason earlier. */
function assertSendable({ identity, cluster }: { identity: ClusterIdentity; cluster: string }): void {
  try {
    impersonationHeaders(identity);
  } catch (error) {
    if (isForbiddenIdentityError(error)) throw refuse(cluster, error.message);
    throw error;
  }
}

function readGroups(claim: unknown): string[] | undefined {
  if (claim === undefined || claim === null) return [];
  const list: unknown[] = Array.isArray(claim) ? claim : [claim];
  return list.every((group): group is string => typeof group === "string" && group.trim() !== "") ? list : undefined;
}

function refuse(cluster: string, why: string): ServiceError {
  return new ServiceError("forbidden", `You cannot act on cluster ${cluster}: ${why}.`);
}
