import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { guardRawRequests } from "#lib/server/edge/http/guard-raw-requests.ts";
import { closeHookServer } from "#lib/server/webhooks/create-hook-server.ts";
import type { TestWeb } from "./web-runtime.ts";

export type HookListener = { port: number; close(): Promise<void> };

/** Serves the hooks of a test's web process over a real HTTP server, in front of pages that answer 200. */
export async function listenForHooks(web: TestWeb, { host = "127.0.0.1", port = 0 } = {}): Promise<HookListener> {
  const pages = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { "content-type": "text/html" }).end("<html>");
  });
  guardRawRequests(pages);
  await new Promise<void>((resolve, reject) => pages.once("error", reject).listen(port, host, resolve));
  return {
    port: (pages.address() as AddressInfo).port,
    async close() {
      await new Promise((resolve) => {
        pages.close(resolve);
        pages.closeAllConnections();
      });
      await closeHookServer(web.runtime);
    },
  };
}
