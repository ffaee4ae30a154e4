import type { AuditVerification, AuditVerifyQuery } from "#lib/contract/audit.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { takeAuditSlot } from "#lib/server/pages/audit/audit-slots.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";

/** Verifying so many takes well under a second (docs/benchmarks.md, audit-verify). */
export const mostQuickEntries = 20_000;

const newest = tables.selectFrom("audit_entry").select("seq").orderBy("seq", "desc").limit(1);

/**
 * Verifies the whole chain in the database. The answer says nothing about entries that the reader may not see, except
 * their number. The next entry records the verification and its result; a quick one only that the chain is broken, since
 * each opening of the page asks for one. Throws `rate_limited`.
 */
export async function verifyAuditChain({ ctx, input }: Call<AuditVerifyQuery>): Promise<AuditVerification> {
  const { pool } = ctx.runtime;
  const isQuick = input.quick === "true";
  if (isQuick) {
    const [last] = await readRows(pool, newest);
    if (Number(last?.seq ?? 0) > mostQuickEntries) return { ok: false, entries: 0, skipped: true };
  }
  const release = takeAuditSlot(ctx);
  const verdict = await verifyAudit({ client: pool }).finally(release);
  if (!isQuick || !verdict.ok)
    await appendChange(ctx, {
      code: "audit.verify",
      detail: { ok: verdict.ok, entries: verdict.entries, ...(verdict.ok ? {} : { brokenAt: verdict.brokenAt }) },
    });
  return verdict;
}
