import type { Pool } from "pg";
import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";
import type { Evidence } from "#lib/domain/audit/make-evidence.ts";
import { queueOf } from "#lib/server/audit/audit-queue.ts";
import type { AppendedAudit, Within } from "#lib/server/audit/write-audit-batch.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";

/**
 * Appends one entry to the chain: gapless seq, the database's time, the evidence row and a change-log row. Resolves
 * once it is committed. `within` runs in the same transaction, so that what depends on the entry is committed or rolled
 * back with it. It may use only the connection it is given, and blocks the chain while it runs. Throws `ServiceError`
 * `audit_unavailable` for every failure: then the caller must not act. If the commit was not confirmed, the entry may
 * exist anyway.
 */
export async function appendAudit({
  pool,
  entry,
  evidence,
  within,
}: {
  pool: Pool;
  entry: AuditDraft;
  evidence?: Evidence | undefined;
  within?: Within | undefined;
}): Promise<AppendedAudit> {
  try {
    return await queueOf(pool).append({ entry, evidence, within });
  } catch (cause) {
    if (isServiceError(cause)) throw cause;
    throw new ServiceError(
      "audit_unavailable",
      "The audit log could not be written, so nothing was done. Try again when the database is back.",
      { cause },
    );
  }
}
