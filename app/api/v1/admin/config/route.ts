import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getAdminConfig } from "#lib/server/services/admin/get-config.ts";

export const GET = endpoint({ endpoint: endpoints.getAdminConfig, handler: getAdminConfig });
