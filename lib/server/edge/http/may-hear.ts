import { type Grant, mayRead, type Rights, readsEverything } from "#lib/domain/policy/rights.ts";
import { seesCluster } from "#lib/server/people/permission/read-scope.ts";
import type { Change } from "#lib/server/platform/db/change-log.ts";

/**
 * Returns whether a reader may learn that something changed. A row of the change log has a cluster, a namespace, and
 * the name of the rollout that it is about. If the name is unknown or absent, rights for every name are needed.
 */
export function mayHear(rights: Rights, { event, place }: Pick<Change, "event" | "place">): boolean {
  // It only says that the list of freezes is to be read again.
  if (readsEverything(rights) || event.kind === "freeze") return true;
  const { cluster, name } = place;
  if (cluster === null) return false;
  const target = { cluster, namespace: place.namespace ?? "", kind: place.kind, name: name ?? "" };
  switch (event.kind) {
    case "source":
      return seesCluster(rights, cluster);
    case "template":
      return mayRead(withoutNames(rights), target);
    default:
      return mayRead(name === null ? withEveryName(rights) : rights, target);
  }
}

/** Templates belong to no rollout: only cluster and namespace decide. */
function withoutNames(rights: Rights): Rights {
  return mapGrants(rights, (grants) =>
    grants.map((grant) => ({ ...grant, scope: { ...grant.scope, rollouts: ["*"] } })),
  );
}

/** Keeps the grants that apply to every name: they suffice for a change whose rollout is unknown. */
function withEveryName(rights: Rights): Rights {
  return mapGrants(rights, (grants) => grants.filter(({ scope }) => scope.rollouts.includes("*")));
}

function mapGrants(rights: Rights, change: (grants: readonly Grant[]) => readonly Grant[]): Rights {
  const { grants, tokenGrants, cap } = rights;
  return { grants: change(grants), cap, ...(tokenGrants === undefined ? {} : { tokenGrants: change(tokenGrants) }) };
}
