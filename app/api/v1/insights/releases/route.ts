import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getReleaseInsights } from "#lib/server/services/insights/get-release-insights.ts";

export const GET = endpoint({ endpoint: endpoints.getReleaseInsights, handler: getReleaseInsights });
