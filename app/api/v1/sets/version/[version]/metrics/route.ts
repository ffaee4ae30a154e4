import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getVersionMetrics } from "#lib/server/pages/set/version-metrics.ts";

export const GET = endpoint({ endpoint: endpoints.getVersionMetrics, handler: getVersionMetrics });
