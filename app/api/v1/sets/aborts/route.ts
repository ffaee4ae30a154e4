import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getSetAborts } from "#lib/server/pages/set/set-aborts.ts";

export const GET = endpoint({ endpoint: endpoints.getSetAborts, handler: getSetAborts });
