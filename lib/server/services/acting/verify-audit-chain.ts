import type { AuditVerification } from "#lib/contract/audit.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { assertAdmin } from "#lib/server/services/assert-admin.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";

/** Verifies the whole chain in the database, for admins. */
export async function verifyAuditChain({ ctx }: { ctx: ServiceContext }): Promise<AuditVerification> {
  assertAdmin(ctx);
  return verifyAudit({ client: ctx.runtime.pool });
}
