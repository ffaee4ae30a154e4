import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { revokeHookCredential } from "#lib/server/services/hooks/revoke-credential.ts";

export const DELETE = endpoint({ endpoint: endpoints.revokeHookCredential, handler: revokeHookCredential });
