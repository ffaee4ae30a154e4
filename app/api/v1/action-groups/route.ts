import { endpoints } from "#lib/contract/endpoint-table.ts";
import { actOnMany } from "#lib/server/acting/act/act-on-many.ts";
import { getActionGroup } from "#lib/server/acting/act/action-group.ts";
import { countAction } from "#lib/server/acting/act/count-action.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({
  endpoint: endpoints.actOnMany,
  handler: async ({ ctx, input, request, runtime: { metrics } }) => {
    const { seq } = await actOnMany({
      ctx,
      input,
      idempotencyKey: request.headers.get("idempotency-key")?.trim(),
      count: (outcome) => countAction({ metrics, action: input.action, outcome }),
    });
    return getActionGroup({ ctx, input: { seq } });
  },
});
