import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getConfigStatus } from "#lib/server/services/config/get-config-status.ts";

export const GET = endpoint({ endpoint: endpoints.getConfigStatus, handler: getConfigStatus });
