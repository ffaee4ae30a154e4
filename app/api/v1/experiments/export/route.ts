import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { streamLines } from "#lib/server/edge/http/stream-lines.ts";
import { exportExperiments } from "#lib/server/pages/experiment/experiments.ts";

export const GET = endpoint({
  endpoint: endpoints.exportExperiments,
  handler: async (args) => streamLines(await exportExperiments(args)),
});
