import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listNotifications } from "#lib/server/notify/messages/notifications.ts";

export const GET = endpoint({ endpoint: endpoints.listNotifications, handler: listNotifications });
