import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { streamLines } from "#lib/server/http/stream-lines.ts";
import { exportRollouts } from "#lib/server/services/rollouts/export-rollouts.ts";

export const GET = endpoint({
  endpoint: endpoints.exportRollouts,
  handler: async (args) => streamLines(await exportRollouts(args)),
});
