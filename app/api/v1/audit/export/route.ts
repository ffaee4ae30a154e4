import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { streamLines } from "#lib/server/edge/http/stream-lines.ts";
import { exportAudit } from "#lib/server/pages/audit/export-audit.ts";

export const GET = endpoint({
  endpoint: endpoints.exportAudit,
  leavesEntry: true,
  handler: async ({ ctx, input }) =>
    streamLines({
      lines: await exportAudit({ ctx, input }),
      ...(input.format === "csv"
        ? { fileName: "gatehouse-audit.csv", contentType: "text/csv; charset=utf-8" }
        : { fileName: "gatehouse-audit.jsonl", contentType: "application/x-ndjson" }),
    }),
});
