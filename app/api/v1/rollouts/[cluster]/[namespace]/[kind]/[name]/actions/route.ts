import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { actOnRollout } from "#lib/server/services/acting/act-on-rollout.ts";

export const POST = endpoint({
  endpoint: endpoints.actOnRollout,
  auditsRefusals: true,
  handler: ({ ctx, input, request }) =>
    actOnRollout({ ctx, input, idempotencyKey: request.headers.get("idempotency-key")?.trim() }),
});
