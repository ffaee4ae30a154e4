import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getRun } from "#lib/server/pages/run/get-run.ts";

export const GET = endpoint({ endpoint: endpoints.getRun, handler: getRun });
