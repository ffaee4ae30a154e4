import { endpoints } from "#lib/contract/endpoint-table.ts";
import { getActionGroup } from "#lib/server/acting/act/action-group.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.getActionGroup, handler: getActionGroup });
