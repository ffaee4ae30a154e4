import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listTemplates } from "#lib/server/services/templates/list-templates.ts";

export const GET = endpoint({ endpoint: endpoints.listTemplates, handler: listTemplates });
