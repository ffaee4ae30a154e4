import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getReleaseInsights } from "#lib/server/pages/insights/get-release-insights.ts";

export const GET = endpoint({ endpoint: endpoints.getReleaseInsights, handler: getReleaseInsights });
