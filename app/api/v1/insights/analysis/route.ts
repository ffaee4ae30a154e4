import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getAnalysisInsights } from "#lib/server/services/insights/get-analysis-insights.ts";

export const GET = endpoint({ endpoint: endpoints.getAnalysisInsights, handler: getAnalysisInsights });
