import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { getInbox } from "#lib/server/pages/inbox/get-inbox.ts";

export const GET = endpoint({ endpoint: endpoints.getInbox, handler: getInbox });
