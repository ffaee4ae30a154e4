import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";

/** Serves the routes of `/api/v1` and `/mcp` over HTTP, as Next does after routing, for programs that are not part of the test. */
export async function serveRoutes(): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const routes = [...Object.values(endpoints), { path: "/mcp", method: "POST" }]
  .map(({ path, method }) => ({
    path,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
  }))
  // As Next matches: without parameters first.
  .toSorted((one, other) => one.path.split("{").length - other.path.split("{").length);

async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? "/", "http://127.0.0.1");
  const found = routes.find(({ pattern, method }) => method === incoming.method && pattern.test(url.pathname));
  if (found === undefined) {
    outgoing.writeHead(404).end();
    return;
  }
  const folder = found.path.replaceAll("{", "[").replaceAll("}", "]");
  const module = (await import(join(import.meta.dirname, "../app", folder, "route.ts"))) as Record<
    string,
    RouteHandler
  >;
  const params = Object.entries(found.pattern.exec(url.pathname)?.groups ?? {}).map(([key, value]) => [
    key,
    decodeURIComponent(value),
  ]);
  const left = new AbortController();
  outgoing.on("close", () => left.abort());
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const request = new Request(url, {
    method: found.method,
    headers: incoming.headers as Record<string, string>,
    signal: left.signal,
    ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
  });
  const response = await module[found.method]?.(request, { params: Promise.resolve(Object.fromEntries(params)) });
  if (response === undefined) throw new Error(`${folder} has no ${found.method}`);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  if (response.body === null) outgoing.end();
  else await pipeline(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]), outgoing);
}
