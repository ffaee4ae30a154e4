import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { sendTestNotification } from "#lib/server/notify/messages/channels.ts";

export const POST = endpoint({
  endpoint: endpoints.sendTestNotification,
  auditsRefusals: true,
  handler: sendTestNotification,
});
