import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { streamLines } from "#lib/server/http/stream-lines.ts";
import { exportExperiments } from "#lib/server/services/experiments/export-experiments.ts";

export const GET = endpoint({
  endpoint: endpoints.exportExperiments,
  handler: async (args) => streamLines(await exportExperiments(args)),
});
