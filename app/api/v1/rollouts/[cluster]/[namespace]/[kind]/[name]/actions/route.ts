import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { actOnRollout } from "#lib/server/services/acting/act-on-rollout.ts";
import { countAction } from "#lib/server/services/acting/count-action.ts";

export const POST = endpoint({
  endpoint: endpoints.actOnRollout,
  auditsRefusals: true,
  handler: ({ ctx, input, request, runtime }) =>
    countAction({
      metrics: runtime.metrics,
      action: input.action,
      outcome: actOnRollout({ ctx, input, idempotencyKey: request.headers.get("idempotency-key")?.trim() }),
    }),
});
