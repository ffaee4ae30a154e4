import { endpoints } from "#lib/contract/endpoint-table.ts";
import { actOnRollout } from "#lib/server/acting/act/act-on-rollout.ts";
import { countAction } from "#lib/server/acting/act/count-action.ts";
import { scheduleAction } from "#lib/server/acting/schedule/schedule-action.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({
  endpoint: endpoints.actOnRollout,
  auditsRefusals: true,
  handler: ({ ctx, input: { dueAt, ...input }, request, runtime }) =>
    dueAt === undefined
      ? countAction({
          metrics: runtime.metrics,
          action: input.action,
          outcome: actOnRollout({ ctx, input, idempotencyKey: request.headers.get("idempotency-key")?.trim() }),
        })
      : scheduleAction({ ctx, input: { ...input, dueAt } }),
});
