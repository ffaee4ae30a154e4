import { endpoints } from "#lib/contract/endpoint-table.ts";
import { revokeSession } from "#lib/server/admin/revoke-session.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";

export const DELETE = endpoint({ endpoint: endpoints.revokeSession, handler: revokeSession });
