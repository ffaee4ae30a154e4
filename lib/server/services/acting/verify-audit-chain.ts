import type { AuditVerification } from "#lib/contract/audit.ts";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

/** Verifies the whole chain in the database, for admins. */
export async function verifyAuditChain({ ctx }: { ctx: ServiceContext }): Promise<AuditVerification> {
  assertAdmin(ctx);
  return verifyAudit({ client: ctx.runtime.pool });
}

export function assertAdmin({ actor }: ServiceContext): void {
  if (!isAdmin(actor.rights))
    throw new ServiceError("forbidden", `This needs the role admin for everything; yours is ${actor.role}.`);
}
