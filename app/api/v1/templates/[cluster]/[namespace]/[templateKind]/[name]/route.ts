import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getTemplate } from "#lib/server/services/templates/get-template.ts";

export const GET = endpoint({ endpoint: endpoints.getTemplate, handler: getTemplate });
