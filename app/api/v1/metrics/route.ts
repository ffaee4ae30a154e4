import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getRolloutSeries } from "#lib/server/pages/monitoring/get-rollout-series.ts";

export const GET = endpoint({
  endpoint: endpoints.getRolloutSeries,
  handler: async (args) => {
    const { text, contentType } = await getRolloutSeries(args);
    return new Response(text, { headers: { "content-type": contentType, "cache-control": "no-store" } });
  },
});
