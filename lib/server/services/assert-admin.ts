import { isAdmin, isClusterAdmin } from "#lib/domain/policy/rights.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/** Throws `forbidden` for who does not administer everything, or this cluster where what is asked concerns it alone. */
export function assertAdmin({ actor }: Pick<ServiceContext, "actor">, cluster?: string): void {
  if (cluster === undefined ? isAdmin(actor.rights) : isClusterAdmin(actor.rights, cluster)) return;
  const what = cluster === undefined ? "for everything" : `for cluster ${cluster}`;
  throw new ServiceError("forbidden", `This needs the role admin ${what}; yours is ${actor.role}.`);
}
