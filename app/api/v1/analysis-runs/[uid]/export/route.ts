import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { streamLines } from "#lib/server/edge/http/stream-lines.ts";
import { exportRun } from "#lib/server/pages/run/export-run.ts";

export const GET = endpoint({
  endpoint: endpoints.exportRun,
  handler: async ({ ctx, input }) => streamLines(await exportRun({ ctx, input })),
});
