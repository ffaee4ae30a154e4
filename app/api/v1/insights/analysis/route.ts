import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getAnalysisInsights } from "#lib/server/pages/insights/get-analysis-insights.ts";

export const GET = endpoint({ endpoint: endpoints.getAnalysisInsights, handler: getAnalysisInsights });
