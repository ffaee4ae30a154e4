import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listControllerSamples } from "#lib/server/services/controllers/list-controller-samples.ts";

export const GET = endpoint({ endpoint: endpoints.listControllerSamples, handler: listControllerSamples });
