import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getAdminAccess } from "#lib/server/services/admin/get-access.ts";

export const GET = endpoint({ endpoint: endpoints.getAdminAccess, handler: getAdminAccess });
