import { endpoints } from "#lib/contract/endpoint-table.ts";
import { listHeldObjects } from "#lib/server/admin/held-objects.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.listHeldObjects, handler: listHeldObjects });
