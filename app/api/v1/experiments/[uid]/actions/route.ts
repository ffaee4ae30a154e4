import { endpoints } from "#lib/contract/endpoint-table.ts";
import { actOnSubject } from "#lib/server/acting/act/act-on-subject.ts";
import { countAction } from "#lib/server/acting/act/count-action.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({
  endpoint: endpoints.actOnExperiment,
  auditsRefusals: true,
  handler: ({ ctx, input, request, runtime }) =>
    countAction({
      metrics: runtime.metrics,
      action: input.action,
      outcome: actOnSubject({
        ctx,
        kind: "Experiment",
        input,
        idempotencyKey: request.headers.get("idempotency-key")?.trim(),
      }),
    }),
});
