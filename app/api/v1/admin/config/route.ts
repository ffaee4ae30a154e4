import { endpoints } from "#lib/contract/endpoint-table.ts";
import { getAdminConfig } from "#lib/server/admin/get-config.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.getAdminConfig, handler: getAdminConfig });
