import { endpoints } from "#lib/contract/endpoint-table.ts";
import { getAdminAccess } from "#lib/server/admin/get-access.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.getAdminAccess, handler: getAdminAccess });
