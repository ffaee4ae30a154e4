import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { retryNotification } from "#lib/server/notify/messages/notifications.ts";

export const POST = endpoint({
  endpoint: endpoints.retryNotification,
  auditsRefusals: true,
  handler: retryNotification,
});
