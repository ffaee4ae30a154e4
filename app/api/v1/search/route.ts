import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { search } from "#lib/server/pages/search/search.ts";

export const GET = endpoint({ endpoint: endpoints.search, handler: search });
