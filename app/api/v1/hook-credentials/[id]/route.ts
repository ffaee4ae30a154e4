import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { revokeHookCredential } from "#lib/server/webhooks/credentials/credentials.ts";

export const DELETE = endpoint({ endpoint: endpoints.revokeHookCredential, handler: revokeHookCredential });
