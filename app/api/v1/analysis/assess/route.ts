import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { assessMeasured } from "#lib/server/services/analysis/assess-measured.ts";

export const POST = endpoint({ endpoint: endpoints.assessAnalysis, handler: assessMeasured });
