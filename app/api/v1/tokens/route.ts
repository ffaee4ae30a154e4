import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { createToken, listTokens } from "#lib/server/people/tokens/own-tokens.ts";

export const GET = endpoint({ endpoint: endpoints.listTokens, handler: listTokens });
export const POST = endpoint({ endpoint: endpoints.createToken, handler: createToken });
