import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { createToken } from "#lib/server/services/tokens/create-token.ts";
import { listTokens } from "#lib/server/services/tokens/list-tokens.ts";

export const GET = endpoint({ endpoint: endpoints.listTokens, handler: listTokens });
export const POST = endpoint({ endpoint: endpoints.createToken, handler: createToken });
