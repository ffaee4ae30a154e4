import { isAdmin, isClusterAdmin } from "#lib/domain/policy/rights.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/** Throws `forbidden` unless the actor administers everything, or this cluster if the request affects only it. */
export function assertAdmin({ actor }: Pick<ServiceContext, "actor">, cluster?: string): void {
  if (cluster === undefined ? isAdmin(actor.rights) : isClusterAdmin(actor.rights, cluster)) return;
  const what = cluster === undefined ? "for everything" : `for cluster ${cluster}`;
  throw new ServiceError("forbidden", `This needs the role admin ${what}; yours is ${actor.role}.`);
}
