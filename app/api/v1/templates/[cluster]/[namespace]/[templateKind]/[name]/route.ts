import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getTemplate } from "#lib/server/pages/template/get-template.ts";

export const GET = endpoint({ endpoint: endpoints.getTemplate, handler: getTemplate });
