import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { retryNotification } from "#lib/server/services/notifications/retry-notification.ts";

export const POST = endpoint({
  endpoint: endpoints.retryNotification,
  auditsRefusals: true,
  handler: retryNotification,
});
