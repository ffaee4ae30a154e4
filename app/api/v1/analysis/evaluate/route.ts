import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { evaluateResult } from "#lib/server/services/analysis/evaluate-result.ts";

export const POST = endpoint({ endpoint: endpoints.evaluateAnalysis, handler: evaluateResult });
