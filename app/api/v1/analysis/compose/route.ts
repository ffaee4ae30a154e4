import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { composeTemplates } from "#lib/server/pages/template/compose-templates.ts";

export const POST = endpoint({ endpoint: endpoints.composeAnalysis, handler: composeTemplates });
