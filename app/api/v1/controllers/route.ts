import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listControllers } from "#lib/server/services/controllers/list-controllers.ts";

export const GET = endpoint({ endpoint: endpoints.listControllers, handler: listControllers });
