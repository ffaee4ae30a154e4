import { endpoints } from "#lib/contract/endpoint-table.ts";
import { listSources } from "#lib/server/admin/list-sources.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.listSources, handler: listSources });
