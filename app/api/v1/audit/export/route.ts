import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { streamLines } from "#lib/server/http/stream-lines.ts";
import { exportAudit } from "#lib/server/services/acting/export-audit.ts";

export const GET = endpoint({
  endpoint: endpoints.exportAudit,
  handler: async ({ ctx }) => streamLines({ lines: exportAudit({ ctx }), fileName: "gatehouse-audit.jsonl" }),
});
