import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { streamLines } from "#lib/server/http/stream-lines.ts";
import { exportRuns } from "#lib/server/services/analysis-runs/export-runs.ts";

export const GET = endpoint({
  endpoint: endpoints.exportRuns,
  handler: async (args) => streamLines(await exportRuns(args)),
});
