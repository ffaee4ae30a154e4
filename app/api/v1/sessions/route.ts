import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { listSessions } from "#lib/server/people/sessions/sessions.ts";

export const GET = endpoint({ endpoint: endpoints.listSessions, handler: listSessions });
