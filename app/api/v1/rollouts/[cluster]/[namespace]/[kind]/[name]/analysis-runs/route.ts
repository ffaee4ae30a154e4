import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listRolloutRuns } from "#lib/server/pages/run/list-runs.ts";

export const GET = endpoint({ endpoint: endpoints.listRolloutRuns, handler: listRolloutRuns });
