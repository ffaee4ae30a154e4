import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/http/endpoint.ts";
import { getInbox } from "#lib/server/services/inbox/get-inbox.ts";

export const GET = endpoint({ endpoint: endpoints.getInbox, handler: getInbox });
