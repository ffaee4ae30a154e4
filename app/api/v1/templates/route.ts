import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listTemplates } from "#lib/server/pages/template/list-templates.ts";

export const GET = endpoint({ endpoint: endpoints.listTemplates, handler: listTemplates });
