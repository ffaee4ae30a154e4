import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listControllerSamples } from "#lib/server/oversight/controllers/get-controllers.ts";

export const GET = endpoint({ endpoint: endpoints.listControllerSamples, handler: listControllerSamples });
