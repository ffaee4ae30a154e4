import { endpoints } from "#lib/contract/endpoint-table.ts";
import { propose } from "#lib/server/acting/act/propose.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const POST = endpoint({ endpoint: endpoints.propose, handler: propose });
