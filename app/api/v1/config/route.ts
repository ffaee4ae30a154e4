import { endpoints } from "#lib/contract/endpoint-table.ts";
import { getConfigStatus } from "#lib/server/admin/confirm-config.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.getConfigStatus, handler: getConfigStatus });
