import { endpoints } from "#lib/contract/endpoint-table.ts";
import { askClusterPermissions } from "#lib/server/admin/ask-cluster-permissions.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.askClusterPermissions, handler: askClusterPermissions });
