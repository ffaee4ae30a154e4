import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listNotifications } from "#lib/server/services/notifications/list-notifications.ts";

export const GET = endpoint({ endpoint: endpoints.listNotifications, handler: listNotifications });
