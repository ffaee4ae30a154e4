import { type Grant, mayRead, type Rights, readsEverything } from "#lib/domain/policy/rights.ts";
import type { Change } from "#lib/server/db/change-log.ts";
import { seesCluster } from "#lib/server/services/read-scope.ts";

/**
 * Whether a reader may hear that something changed. A line of the change log has a cluster, a namespace, and the name
 * of the rollout that it is about. Where that is not known, or there is none, rights for every name are needed.
 */
export function mayHear(rights: Rights, { event, place }: Pick<Change, "event" | "place">): boolean {
  if (readsEverything(rights)) return true;
  const { cluster, name } = place;
  if (cluster === null) return false;
  const target = { cluster, namespace: place.namespace ?? "", name: name ?? "" };
  switch (event.kind) {
    case "source":
      return seesCluster(rights, cluster);
    case "template":
      return mayRead(withoutNames(rights), target);
    default:
      return mayRead(name === null ? withEveryName(rights) : rights, target);
  }
}

/** Templates belong to no rollout: cluster and namespace alone decide. */
function withoutNames(rights: Rights): Rights {
  return mapGrants(rights, (grants) =>
    grants.map((grant) => ({ ...grant, scope: { ...grant.scope, rollouts: ["*"] } })),
  );
}

/** The grants that hold for every name: with these a change can be judged whose rollout is not known. */
function withEveryName(rights: Rights): Rights {
  return mapGrants(rights, (grants) => grants.filter(({ scope }) => scope.rollouts.includes("*")));
}

function mapGrants(rights: Rights, change: (grants: readonly Grant[]) => readonly Grant[]): Rights {
  const { grants, tokenGrants, cap } = rights;
  return { grants: change(grants), cap, ...(tokenGrants === undefined ? {} : { tokenGrants: change(tokenGrants) }) };
}
