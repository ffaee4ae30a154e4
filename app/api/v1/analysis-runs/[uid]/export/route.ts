import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { streamLines } from "#lib/server/http/stream-lines.ts";
import { exportRun } from "#lib/server/services/analysis-runs/export-run.ts";

export const GET = endpoint({
  endpoint: endpoints.exportRun,
  handler: async ({ ctx, input }) => streamLines(await exportRun({ ctx, input })),
});
