import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listRolloutGates } from "#lib/server/webhooks/credentials/list-gates.ts";

export const GET = endpoint({
  endpoint: endpoints.listRolloutGates,
  handler: ({ ctx, input }) => listRolloutGates({ ctx, input }),
});
