import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listRuns } from "#lib/server/services/analysis-runs/list-runs.ts";

export const GET = endpoint({ endpoint: endpoints.listRuns, handler: listRuns });
