import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { streamLines } from "#lib/server/edge/http/stream-lines.ts";
import { exportRuns } from "#lib/server/pages/run/list-runs.ts";

export const GET = endpoint({
  endpoint: endpoints.exportRuns,
  handler: async (args) => streamLines(await exportRuns(args)),
});
