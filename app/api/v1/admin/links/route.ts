import { endpoints } from "#lib/contract/endpoint-table.ts";
import { listLinkTemplates, setLinkTemplates } from "#lib/server/admin/link-templates.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.listLinkTemplates, handler: listLinkTemplates });
export const POST = endpoint({ endpoint: endpoints.setLinkTemplates, handler: setLinkTemplates });
