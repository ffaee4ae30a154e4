import { endpoints } from "#lib/contract/endpoint-table.ts";
import { getAction } from "#lib/server/acting/act/get-action.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.getAction, handler: getAction });
