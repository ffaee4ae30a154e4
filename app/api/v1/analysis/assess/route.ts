import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { assessMeasured } from "#lib/server/pages/template/evaluate.ts";

export const POST = endpoint({ endpoint: endpoints.assessAnalysis, handler: assessMeasured });
