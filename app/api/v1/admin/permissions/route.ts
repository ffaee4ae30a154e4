import { endpoints } from "#lib/contract/endpoint-table.ts";
import { explainPermissions } from "#lib/server/admin/explain-permissions.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.explainPermissions, handler: explainPermissions });
