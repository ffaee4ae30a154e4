import { readAuditLinks } from "#lib/server/audit/verify-audit.ts";
import { assertAdmin } from "#lib/server/services/assert-admin.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";

/** The whole chain as JSON lines, each with its line feed, as `gatehouse audit verify --file` reads them. For admins. */
export function exportAudit({ ctx }: { ctx: ServiceContext }): AsyncGenerator<string> {
  assertAdmin(ctx);
  return writeLines(ctx);
}

async function* writeLines({ runtime }: ServiceContext): AsyncGenerator<string> {
  for await (const { seq, previousHash, hash, entryHash, entry } of readAuditLinks(runtime.pool))
    yield `${JSON.stringify({ seq, previousHash, hash, entryHash, entry })}\n`;
}
