import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { openEventStream } from "#lib/server/edge/http/event-stream.ts";

export const GET = endpoint({ endpoint: endpoints.stream, handler: openEventStream });
