import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listRuns } from "#lib/server/pages/run/list-runs.ts";

export const GET = endpoint({ endpoint: endpoints.listRuns, handler: listRuns });
