import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { revokeSession } from "#lib/server/people/sessions/sessions.ts";

export const DELETE = endpoint({ endpoint: endpoints.revokeSession, handler: revokeSession });
