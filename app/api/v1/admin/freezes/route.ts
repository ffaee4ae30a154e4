import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listAdminFreezes } from "#lib/server/services/admin/list-freezes.ts";

export const GET = endpoint({ endpoint: endpoints.listAdminFreezes, handler: listAdminFreezes });
