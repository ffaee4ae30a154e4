import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { snooze, wake } from "#lib/server/pages/inbox/snooze.ts";

export const POST = endpoint({ endpoint: endpoints.snooze, handler: snooze });
export const DELETE = endpoint({ endpoint: endpoints.wake, handler: wake });
