import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { streamLines } from "#lib/server/edge/http/stream-lines.ts";
import { exportRollouts } from "#lib/server/pages/rollout/list-rollouts.ts";

export const GET = endpoint({
  endpoint: endpoints.exportRollouts,
  handler: async (args) => streamLines(await exportRollouts(args)),
});
