import { endpoints } from "#lib/contract/endpoint-table.ts";
import { decideRequest } from "#lib/server/acting/act/accept-proposal.ts";
import { countAction } from "#lib/server/acting/act/count-action.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({
  endpoint: endpoints.decideApproval,
  handler: ({ ctx, input, runtime: { metrics } }) =>
    decideRequest({ ctx, input, count: (action, outcome) => countAction({ metrics, action, outcome }) }),
});
