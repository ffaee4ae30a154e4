import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getController } from "#lib/server/services/controllers/get-controller.ts";

export const GET = endpoint({ endpoint: endpoints.getController, handler: getController });
