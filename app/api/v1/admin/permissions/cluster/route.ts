import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { askClusterPermissions } from "#lib/server/services/admin/ask-cluster-permissions.ts";

export const GET = endpoint({ endpoint: endpoints.askClusterPermissions, handler: askClusterPermissions });
