import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listHeldObjects } from "#lib/server/services/sources/list-held-objects.ts";

export const GET = endpoint({ endpoint: endpoints.listHeldObjects, handler: listHeldObjects });
