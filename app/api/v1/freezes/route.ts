import { endpoints } from "#lib/contract/endpoint-table.ts";
import { createFreeze, listFreezes } from "#lib/server/acting/freezes/freezes.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.listFreezes, handler: listFreezes });
export const POST = endpoint({ endpoint: endpoints.createFreeze, handler: createFreeze });
