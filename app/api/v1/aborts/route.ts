import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listAborts } from "#lib/server/services/releases/list-aborts.ts";

export const GET = endpoint({ endpoint: endpoints.listAborts, handler: listAborts });
