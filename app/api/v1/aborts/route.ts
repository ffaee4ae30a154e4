import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listAborts } from "#lib/server/pages/release/list-aborts.ts";

export const GET = endpoint({ endpoint: endpoints.listAborts, handler: listAborts });
