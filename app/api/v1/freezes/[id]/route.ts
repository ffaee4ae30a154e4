import { endpoints } from "#lib/contract/endpoint-table.ts";
import { changeFreeze } from "#lib/server/acting/freezes/freezes.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({ endpoint: endpoints.changeFreeze, handler: changeFreeze });
