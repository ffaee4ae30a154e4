import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { listChannels } from "#lib/server/services/notifications/list-channels.ts";

export const GET = endpoint({ endpoint: endpoints.listNotificationChannels, handler: listChannels });
