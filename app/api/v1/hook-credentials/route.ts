import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { createHookCredential, listHookCredentials } from "#lib/server/webhooks/credentials/credentials.ts";

export const GET = endpoint({ endpoint: endpoints.listHookCredentials, handler: listHookCredentials });
export const POST = endpoint({
  endpoint: endpoints.createHookCredential,
  auditsRefusals: true,
  handler: createHookCredential,
});
