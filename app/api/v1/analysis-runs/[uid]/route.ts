import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getRun } from "#lib/server/services/analysis-runs/get-run.ts";

export const GET = endpoint({ endpoint: endpoints.getRun, handler: getRun });
