import { endpoints } from "#lib/contract/endpoint-table.ts";
import { listScheduledActions } from "#lib/server/acting/schedule/scheduled-actions.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.listScheduledActions, handler: listScheduledActions });
