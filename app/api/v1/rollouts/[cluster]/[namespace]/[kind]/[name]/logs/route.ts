import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getRolloutLogs } from "#lib/server/pages/logs/get-rollout-logs.ts";

export const GET = endpoint({ endpoint: endpoints.getRolloutLogs, handler: getRolloutLogs });
