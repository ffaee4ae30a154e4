import { endpoints } from "#lib/contract/endpoint-table.ts";
import { getAdminPolicies } from "#lib/server/admin/get-policies.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.getAdminPolicies, handler: getAdminPolicies });
