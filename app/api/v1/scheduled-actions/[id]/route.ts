import { endpoints } from "#lib/contract/endpoint-table.ts";
import { getScheduledAction, withdrawScheduledAction } from "#lib/server/acting/schedule/scheduled-actions.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const GET = endpoint({ endpoint: endpoints.getScheduledAction, handler: getScheduledAction });
export const DELETE = endpoint({ endpoint: endpoints.withdrawScheduledAction, handler: withdrawScheduledAction });
