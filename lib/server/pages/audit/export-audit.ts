import type { AuditExportQuery } from "#lib/contract/audit.ts";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { csvHeader, formatCsvLine } from "#lib/domain/audit/format-csv.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { readAuditLinks } from "#lib/server/audit/verify-audit.ts";
import { takeAuditSlot } from "#lib/server/pages/audit/audit-slots.ts";
import { auditOrder, isListedAudit } from "#lib/server/pages/audit/list-audit.ts";
import { mayReadEntry } from "#lib/server/pages/audit/readable-audit.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { readOrdered } from "#lib/server/records/list-order.ts";

/** Entries in memory at once. */
const batchSize = 250;

/**
 * Exports the log up to the entry that this export itself makes. JSON lines contain the whole chain, as `gatehouse
 * audit verify --file` reads it, with stubs for entries that the caller may not see. CSV contains only the entries that
 * the caller may see and that pass the filters. Throws `rate_limited` if too many exports are running. An export runs
 * until its last line is read or it is abandoned.
 */
export async function exportAudit({ ctx, input }: Call<AuditExportQuery>): Promise<AsyncGenerator<string>> {
  const release = takeAuditSlot(ctx);
  const { seq } = await appendChange(ctx, {
    code: "audit.export",
    detail: { format: input.format, ...describeFilters(input) },
  }).catch((error: unknown) => {
    release();
    throw error;
  });
  return releaseAfter(input.format === "csv" ? writeTable(ctx, input, seq) : writeChain(ctx, seq), release);
}

/** Returns the filters for the audit entry: with only "csv", it would claim more than was exported. */
function describeFilters({ format: _format, ...filters }: AuditExportQuery): { filters?: Record<string, string> } {
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  return Object.keys(given).length === 0 ? {} : { filters: given as Record<string, string> };
}

async function* releaseAfter(lines: AsyncGenerator<string>, release: () => void): AsyncGenerator<string> {
  try {
    yield* lines;
  } finally {
    release();
  }
}

async function* writeChain({ runtime, actor }: ServiceContext, last: number): AsyncGenerator<string> {
  for await (const { seq, previousHash, hash, entryHash, entry } of readAuditLinks(runtime.pool)) {
    if (seq > last) return;
    const shown = mayReadEntry(actor, parseEntryText(entry)) ? { entry } : {};
    yield `${JSON.stringify({ seq, previousHash, hash, entryHash, ...shown })}\n`;
  }
}

async function* writeTable(ctx: ServiceContext, filters: AuditExportQuery, last: number): AsyncGenerator<string> {
  yield `${csvHeader}\r\n`;
  for await (const row of readRowsUpTo(ctx, filters, last)) {
    const entry = parseEntryText(row.entry);
    if (entry !== undefined && mayReadEntry(ctx.actor, entry)) yield `${formatCsvLine(entry, row.hash)}\r\n`;
  }
}

/** The oldest first, unless another order was asked for. */
async function* readRowsUpTo({ runtime, actor }: ServiceContext, filters: AuditExportQuery, last: number) {
  let cursor: string | undefined;
  do {
    const order = auditOrder({ ...filters, cursor }, "time");
    const query = tables
      .selectFrom("audit_entry as a")
      .select(["a.entry", "a.hash"])
      .where("a.seq", "<=", String(last))
      .where(() => allOf([isListedAudit(actor, filters), order.isAfter]));
    const page = await readOrdered(runtime.pool, { query, order, limit: batchSize, toItem: (row) => row });
    yield* page.items;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
}
