import { type IncomingMessage, Server, type ServerResponse } from "node:http";

type Emit = (this: Server, event: string | symbol, ...args: unknown[]) => boolean;

const guarded = Symbol.for("gatehouse.guarded-requests");

/** Whether Next would answer this path with a redirect of its own, before proxy.ts sees it. */
export function isUnsafeRawRequest({ method, url }: { method: string | undefined; url: string | undefined }): boolean {
  if (method === "GET" || method === "HEAD") return false;
  const [path = ""] = (url ?? "").split(/[?#]/, 1);
  // `/./` and `/../` would be resolved to another path than the one that was asked for.
  return !path.startsWith("/") || /\/\/|\\|\/\.{1,2}(\/|$)|%2f|%5c/i.test(path);
}

/**
 * Answers 405 to writes on paths that are not in their plain form. Next redirects such paths (308) ahead of all code of
 * ours, and to a hook that calls a wrong address a redirect may read as success.
 */
export function guardRawRequests(): void {
  const prototype = Server.prototype as unknown as { emit: Emit; [guarded]?: boolean };
  if (prototype[guarded] === true) return;
  prototype[guarded] = true;
  const emit = prototype.emit;
  prototype.emit = function guardedEmit(event, ...args) {
    if (event !== "request") return emit.call(this, event, ...args);
    const [request, response] = args as [IncomingMessage, ServerResponse];
    if (!isUnsafeRawRequest({ method: request.method, url: request.url })) return emit.call(this, event, ...args);
    response.writeHead(405, { allow: "GET, HEAD", "content-type": "text/plain", "cache-control": "no-store" });
    response.end("Method not allowed.\n");
    request.resume();
    return true;
  };
}
