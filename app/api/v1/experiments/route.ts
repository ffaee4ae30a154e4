import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listExperiments } from "#lib/server/services/experiments/list-experiments.ts";

export const GET = endpoint({ endpoint: endpoints.listExperiments, handler: listExperiments });
