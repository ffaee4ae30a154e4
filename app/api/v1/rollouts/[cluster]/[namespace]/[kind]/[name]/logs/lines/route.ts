import { endpoints } from "#lib/contract/endpoint-table.ts";
import { endpoint } from "#lib/server/edge/http/endpoint.ts";
import { openLogStream } from "#lib/server/edge/http/open-log-stream.ts";
import { streamLogLines } from "#lib/server/pages/logs/stream-log-lines.ts";

export const GET = endpoint({
  endpoint: endpoints.streamRolloutLogLines,
  handler: ({ ctx, input, request, runtime }) =>
    openLogStream({ request, runtime, place: input, open: (signal) => streamLogLines({ ctx, input, signal }) }),
});
