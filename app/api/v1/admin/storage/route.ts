import { endpoints } from "#lib/contract/endpoint-table.ts";
import { getAdminStorage } from "#lib/server/admin/get-storage.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.getAdminStorage, handler: getAdminStorage });
