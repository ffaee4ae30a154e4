import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getAction } from "#lib/server/services/acting/get-action.ts";

export const GET = endpoint({ endpoint: endpoints.getAction, handler: getAction });
