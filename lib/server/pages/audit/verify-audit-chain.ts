import type { AuditVerification } from "#lib/contract/audit.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { takeAuditSlot } from "#lib/server/pages/audit/audit-slots.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/**
 * Verifies the whole chain in the database. The answer says nothing about entries that the reader may not see, except
 * their number. The next entry records the verification and its result. Throws `rate_limited`.
 */
export async function verifyAuditChain({ ctx }: { ctx: ServiceContext }): Promise<AuditVerification> {
  const { pool } = ctx.runtime;
  const release = takeAuditSlot(ctx);
  const verdict = await verifyAudit({ client: pool }).finally(release);
  await appendChange(ctx, {
    code: "audit.verify",
    detail: { ok: verdict.ok, entries: verdict.entries, ...(verdict.ok ? {} : { brokenAt: verdict.brokenAt }) },
  });
  return verdict;
}
