import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getAdminStorage } from "#lib/server/services/admin/get-storage.ts";

export const GET = endpoint({ endpoint: endpoints.getAdminStorage, handler: getAdminStorage });
