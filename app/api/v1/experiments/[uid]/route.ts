import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getExperiment } from "#lib/server/pages/experiment/experiments.ts";

export const GET = endpoint({ endpoint: endpoints.getExperiment, handler: getExperiment });
