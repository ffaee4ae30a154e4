import { endpoints } from "#lib/contract/endpoint-table.ts";
import { Problem } from "#lib/contract/problem.ts";
import { type Ask, type AskedEndpoint, pathOf } from "#lib/mcp/ask.ts";
import { peerHeader } from "#lib/server/edge/http/client-address.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { parseJson } from "#lib/util/json.ts";

/** The headers that tell who asks. */
const passedOn = ["authorization", "x-forwarded-for", peerHeader, "traceparent"];

/** Calls the route handlers themselves: an agent has the rights, limits and refusals of its token at the API. */
export function askInProcess({
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
