import { endpoints } from "#lib/contract/endpoint-table.ts";
import { planSubjectPreview } from "#lib/server/acting/act/plan-action-preview.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({
  endpoint: endpoints.planRunAction,
  handler: ({ ctx, input }) => planSubjectPreview({ ctx, kind: "AnalysisRun", input }),
});
