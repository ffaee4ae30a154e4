import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listChannels } from "#lib/server/notify/messages/channels.ts";

export const GET = endpoint({ endpoint: endpoints.listNotificationChannels, handler: listChannels });
