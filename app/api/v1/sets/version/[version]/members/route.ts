import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listVersionMembers } from "#lib/server/pages/set/version-set.ts";

export const GET = endpoint({ endpoint: endpoints.listVersionMembers, handler: listVersionMembers });
