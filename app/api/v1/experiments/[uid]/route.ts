import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getExperiment } from "#lib/server/services/experiments/get-experiment.ts";

export const GET = endpoint({ endpoint: endpoints.getExperiment, handler: getExperiment });
