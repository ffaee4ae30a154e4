import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { explainPermissions } from "#lib/server/services/admin/explain-permissions.ts";

export const GET = endpoint({ endpoint: endpoints.explainPermissions, handler: explainPermissions });
