import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listSources } from "#lib/server/services/sources/list-sources.ts";

export const GET = endpoint({ endpoint: endpoints.listSources, handler: listSources });
