import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { revokeToken } from "#lib/server/people/tokens/own-tokens.ts";

export const DELETE = endpoint({ endpoint: endpoints.revokeToken, handler: revokeToken });
