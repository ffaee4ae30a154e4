import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getAdminPolicies } from "#lib/server/services/admin/get-policies.ts";

export const GET = endpoint({ endpoint: endpoints.getAdminPolicies, handler: getAdminPolicies });
