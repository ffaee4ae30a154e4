import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { composeTemplates } from "#lib/server/services/analysis/compose-templates.ts";

export const POST = endpoint({ endpoint: endpoints.composeAnalysis, handler: composeTemplates });
