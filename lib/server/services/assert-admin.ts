import { isAdmin } from "#lib/domain/policy/rights.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

/** Throws `forbidden` for who does not administer everything. */
export function assertAdmin({ actor }: Pick<ServiceContext, "actor">): void {
  if (!isAdmin(actor.rights))
    throw new ServiceError("forbidden", `This needs the role admin for everything; yours is ${actor.role}.`);
}
