import { endpoints } from "#lib/contract/endpoint-table.ts";
import { listAdminFreezes } from "#lib/server/admin/list-freezes.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.listAdminFreezes, handler: listAdminFreezes });
