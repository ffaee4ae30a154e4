import { createMcpHandler, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { z } from "zod";
import { post } from "#lib/contract/endpoint.ts";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { Problem } from "#lib/contract/problem.ts";
import { type Ask, type AskedEndpoint, pathOf } from "#lib/mcp/ask.ts";
import { createAgentServer } from "#lib/mcp/create-agent-server.ts";
import { peerHeader } from "#lib/server/edge/http/client-address.ts";
import { endpoint, type RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { parseBody, readLimitedText } from "#lib/server/edge/http/parse-input.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { parseJson } from "#lib/util/json.ts";

const entry = post("/mcp", "The Model Context Protocol over streamable HTTP, without sessions", {
  contentTypes: ["application/json", "text/event-stream"],
});

/**
 * Serves agents. Only tokens: a browser's session would let a page of another origin speak as its person. Every request
 * stands alone, so any replica answers it.
 */
export function mcpEndpoint(handlers: Readonly<Record<AskedEndpoint, RouteHandler>>): RouteHandler {
  return endpoint({
    endpoint: entry,
    handler: async ({ ctx: { actor, runtime }, request }) => {
      if (actor.type !== "token") throw new ServiceError("unauthenticated", "Agents need an API token here.");
      const parsedBody = parseBody(await readLimitedText(request));
      const listening = findListening(parsedBody);
      if (listening !== undefined) return refuseListening(listening);
      const handler = createMcpHandler(() => createAgentServer(askInProcess({ request, handlers })), {
        onerror: (error) => runtime.log.debug({ err: error }, "a request of an agent failed"),
      });
      return handler.fetch(request, { parsedBody });
    },
  });
}

const Listening = z.object({
  method: z.literal("subscriptions/listen"),
  id: z.union([z.string(), z.number()]).nullable().catch(null),
});
type Listening = z.infer<typeof Listening>;

/** Finds a request for a stream without an end, also in a batch. Nothing here changes while an agent listens. */
function findListening(body: unknown): Listening | undefined {
  const messages: unknown[] = Array.isArray(body) ? body : [body];
  for (const message of messages) {
    const { data } = Listening.safeParse(message);
    if (data !== undefined) return data;
  }
  return undefined;
}

function refuseListening({ id, method }: Listening): Response {
  const message = `${method} is not served: ask again instead.`;
  const error = { code: ProtocolErrorCode.MethodNotFound, message };
  return Response.json({ jsonrpc: "2.0", id, error }, { status: 404 });
}

/** The headers that tell who asks. */
const passedOn = ["authorization", "x-forwarded-for", peerHeader, "traceparent"];

/** Calls the route handlers themselves: an agent has the rights, limits and refusals of its token at the API. */
function askInProcess({
  request,
  handlers,
}: {
  request: Request;
  handlers: Readonly<Record<AskedEndpoint, RouteHandler>>;
}): Ask {
  return async (name, sent) => {
    const { method } = endpoints[name];
    const url = new URL(pathOf(name, sent), request.url);
    for (const [key, value] of Object.entries(sent.query ?? {}))
      if (value !== undefined) url.searchParams.set(key, String(value));
    const headers = new Headers({ "content-type": "application/json" });
    for (const header of passedOn) {
      const value = request.headers.get(header);
      if (value !== null) headers.set(header, value);
    }
    const body = sent.body === undefined ? {} : { body: JSON.stringify(sent.body) };
    const params = Object.fromEntries(Object.entries(sent.path ?? {}).map(([key, value]) => [key, String(value)]));
    const response = await handlers[name](new Request(url, { method, headers, ...body, signal: request.signal }), {
      params: Promise.resolve(params),
    });
    const value = parseJson(await response.text());
    if (response.ok) return { ok: true, value };
    const problem = Problem.safeParse(value);
    return {
      ok: false,
      refusal: problem.success ? problem.data : { code: "unreadable", detail: `The API answered ${response.status}.` },
    };
  };
}
