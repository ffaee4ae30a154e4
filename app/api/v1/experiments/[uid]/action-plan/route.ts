import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { planSubjectPreview } from "#lib/server/services/acting/plan-action-preview.ts";

export const POST = endpoint({
  endpoint: endpoints.planExperimentAction,
  handler: ({ ctx, input }) => planSubjectPreview({ ctx, kind: "Experiment", input }),
});
