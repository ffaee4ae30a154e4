import type { AuditExportQuery } from "#lib/contract/audit.ts";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { csvHeader, formatCsvLine } from "#lib/domain/audit/format-csv.ts";
import { auditActorOf } from "#lib/server/actor/audit-actor.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { readAuditLinks } from "#lib/server/audit/verify-audit.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { takeAuditSlot } from "#lib/server/services/acting/audit-slots.ts";
import { mayReadEntry } from "#lib/server/services/acting/readable-audit.ts";

/**
 * Exports the log up to the entry that this export itself makes. As JSON lines it is the whole chain, as `gatehouse
 * audit verify --file` reads it, with stubs for what the caller may not see. As CSV it has only what the caller may
 * see. Throws `rate_limited` if too many exports are running. An export runs until its last line is taken or it is
 * abandoned.
 */
export async function exportAudit({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: AuditExportQuery;
}): Promise<AsyncGenerator<string>> {
  const release = takeAuditSlot(ctx);
  const { seq } = await appendAudit({
    pool: ctx.runtime.pool,
    entry: {
      actor: auditActorOf(ctx.actor),
      source: "gatehouse",
      code: "audit.export",
      outcome: "applied",
      detail: { format: input.format },
      requestId: ctx.requestId,
    },
  }).catch((error: unknown) => {
    release();
    throw error;
  });
  return releaseAfter(input.format === "csv" ? writeTable(ctx, seq) : writeChain(ctx, seq), release);
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

async function* writeTable({ runtime, actor }: ServiceContext, last: number): AsyncGenerator<string> {
  yield `${csvHeader}\r\n`;
  for await (const link of readAuditLinks(runtime.pool)) {
    if (link.seq > last) return;
    const entry = parseEntryText(link.entry);
    if (entry !== undefined && mayReadEntry(actor, entry)) yield `${formatCsvLine(entry, link.hash)}\r\n`;
  }
}
