import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listTemplateVersions } from "#lib/server/pages/template/get-template.ts";

export const GET = endpoint({ endpoint: endpoints.listTemplateVersions, handler: listTemplateVersions });
