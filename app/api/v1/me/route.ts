import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getMe } from "#lib/server/pages/me/get-me.ts";

export const GET = endpoint({ endpoint: endpoints.getMe, handler: getMe });
