import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { createHookCredential } from "#lib/server/services/hooks/create-credential.ts";
import { listHookCredentials } from "#lib/server/services/hooks/list-credentials.ts";

export const GET = endpoint({ endpoint: endpoints.listHookCredentials, handler: listHookCredentials });
export const POST = endpoint({
  endpoint: endpoints.createHookCredential,
  auditsRefusals: true,
  handler: createHookCredential,
});
