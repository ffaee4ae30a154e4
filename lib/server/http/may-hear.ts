import { type Grant, mayRead, type Rights, readsEverything } from "#lib/domain/policy/rights.ts";
import type { Change } from "#lib/server/db/change-log.ts";
import { seesCluster } from "#lib/server/services/read-scope.ts";

/**
 * Whether a reader may hear that something changed. A line of the change log has a cluster and a namespace, and the
 * name of its rollout only where the rollout itself changed: who may read single rollouts alone hears of these.
 */
export function mayHear(rights: Rights, { event, place }: Pick<Change, "event" | "place">): boolean {
  if (readsEverything(rights)) return true;
  const { cluster } = place;
  if (cluster === null) return false;
  const target = { cluster, namespace: place.namespace ?? "", name: "" };
  switch (event.kind) {
    case "rollout":
    case "rollout-pods":
    case "rollout-events":
      return mayRead(rights, { ...target, name: event.id.split("/").slice(3).join("/") });
    case "source":
      return seesCluster(rights, cluster);
    case "template":
      return mayRead(withoutNames(rights), target);
    default:
      return mayRead(withEveryName(rights), target);
  }
}

/** Templates belong to no rollout: cluster and namespace alone decide. */
function withoutNames(rights: Rights): Rights {
  return mapGrants(rights, (grants) =>
    grants.map((grant) => ({ ...grant, scope: { ...grant.scope, rollouts: ["*"] } })),
  );
}

/** The grants that hold for every name: with these a change can be judged whose rollout is not known here. */
function withEveryName(rights: Rights): Rights {
  return mapGrants(rights, (grants) => grants.filter(({ scope }) => scope.rollouts.includes("*")));
}

function mapGrants(rights: Rights, change: (grants: readonly Grant[]) => readonly Grant[]): Rights {
  const { grants, tokenGrants, cap } = rights;
  return { grants: change(grants), cap, ...(tokenGrants === undefined ? {} : { tokenGrants: change(tokenGrants) }) };
}
