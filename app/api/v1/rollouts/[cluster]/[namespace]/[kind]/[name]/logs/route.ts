import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getRolloutLogs } from "#lib/server/services/logs/get-rollout-logs.ts";

export const GET = endpoint({ endpoint: endpoints.getRolloutLogs, handler: getRolloutLogs });
