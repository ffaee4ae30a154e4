import type { AuditVerification, AuditVerifyQuery } from "#lib/contract/audit.ts";
import type { ChainVerdict } from "#lib/domain/audit/audit-chain.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { takeAuditSlot } from "#lib/server/pages/audit/audit-slots.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { sumOf } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

/** Verifying so many takes well under a second (docs/benchmarks.md, audit-verify). */
export const mostQuickEntries = 20_000;
/** Evidence is read and hashed too. */
export const mostQuickEvidenceBytes = 32 * 1024 * 1024;

const newest = tables.selectFrom("audit_entry").select("seq").orderBy("seq", "desc").limit(1);
const evidenceSize = tables
  .selectFrom("evidence")
  .select(({ fn }) => sumOf(fn("octet_length", ["content"])).as("bytes"));

/** The quick check under way, which concurrent requests share, and the break that the last one recorded. */
type QuickCheck = { running?: Promise<AuditVerification> | undefined; recordedBreak?: number | undefined };

// Next bundles each route separately, so it is kept on the process's one runtime and not in this module.
const handle = Symbol.for("gatehouse.quick-audit-check");
type Holder = WebRuntime & { [handle]?: QuickCheck };

/**
 * Verifies the whole chain in the database. The answer says nothing about entries that the reader may not see, except
 * their number. The next entry records the verification and its result; quick ones record only a new break, since each
 * opening of the page asks for one. They take no slot: a process runs one at a time. Throws `rate_limited`.
 */
export async function verifyAuditChain({ ctx, input }: Call<AuditVerifyQuery>): Promise<AuditVerification> {
  if (input.quick === "true") return shareQuickCheck(ctx);
  const release = takeAuditSlot(ctx);
  const verdict = await verifyAudit({ client: ctx.runtime.pool }).finally(release);
  await recordVerification(ctx, verdict);
  return verdict;
}

function shareQuickCheck(ctx: ServiceContext): Promise<AuditVerification> {
  const holder = ctx.runtime as Holder;
  holder[handle] ??= {};
  const check = holder[handle];
  check.running ??= verifyQuickly(ctx, check).finally(() => {
    check.running = undefined;
  });
  return check.running;
}

async function verifyQuickly(ctx: ServiceContext, check: QuickCheck): Promise<AuditVerification> {
  const { pool } = ctx.runtime;
  if (await isLarge(pool)) return { ok: false, entries: 0, skipped: true };
  const verdict = await verifyAudit({ client: pool });
  const brokenAt = verdict.ok ? undefined : verdict.brokenAt;
  if (brokenAt !== undefined && brokenAt !== check.recordedBreak) await recordVerification(ctx, verdict);
  check.recordedBreak = brokenAt;
  return verdict;
}

async function isLarge(pool: Connection): Promise<boolean> {
  const last = await readRow(pool, newest);
  if (Number(last?.seq ?? 0) > mostQuickEntries) return true;
  const size = await readRow(pool, evidenceSize);
  return (size?.bytes ?? 0) > mostQuickEvidenceBytes;
}

async function recordVerification(ctx: ServiceContext, verdict: ChainVerdict): Promise<void> {
  const { ok, entries } = verdict;
  const detail = { ok, entries, ...(verdict.ok ? {} : { brokenAt: verdict.brokenAt }) };
  await appendChange(ctx, { code: "audit.verify", detail });
}
