import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { rolldown } from "rolldown";
import type { Resource } from "#components/argocd/argo-cd.ts";

type Options = { gatehouse: string; token: string; resource: Resource };

const html = `<!doctype html><html lang="en"><head><title>Argo CD</title><base href="/">
<script defer src="main.js"></script></head><body><script defer src="extensions.js"></script></body></html>`;

/** Serves a page that loads the extension as Argo CD's does, and a proxy with the headers of Argo CD's. */
export async function serveArgoCd(options: Options): Promise<{ url: string; close(): Promise<void> }> {
  const files = new Map([
    ["/", { type: "text/html", text: html }],
    ["/main.js", { type: "text/javascript", text: await bundlePage() }],
    ["/extensions.js", { type: "text/javascript", text: await readExtensions(options.gatehouse) }],
    ["/resource", { type: "application/json", text: JSON.stringify(options.resource) }],
    ["/api/v1/applications/shop/resource-tree", { type: "application/json", text: writeTree(options.resource) }],
  ]);
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://argocd");
    const file = files.get(pathname);
    if (file !== undefined) response.writeHead(200, { "content-type": file.type }).end(file.text);
    else if (pathname.startsWith("/extensions/gatehouse/")) forward({ request, response, options });
    else response.writeHead(404).end("Extension not found");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => close(server) };
}

/** As the function prepareRequest and the proxy of Argo CD's server/extension do. */
async function forward({
  request,
  response,
  options: { gatehouse, token },
}: {
  request: IncomingMessage;
  response: ServerResponse;
  options: Options;
}): Promise<void> {
  const named = request.headers["argocd-application-name"];
  if (typeof named !== "string" || request.headers["argocd-project-name"] === undefined) {
    response.writeHead(400).end("Invalid headers");
    return;
  }
  const { method = "GET", url = "" } = request;
  const answer = await fetch(gatehouse + url.replace("/extensions/gatehouse", ""), {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      "argocd-application-name": named,
      "argocd-username": "admin",
      "argocd-user-groups": "admins",
    },
  });
  const type = answer.headers.get("content-type") ?? "text/plain";
  response.writeHead(answer.status, { "content-type": type }).end(await answer.text());
}

/** Argo CD joins the scripts of all extensions. */
async function readExtensions(gatehouse: string): Promise<string> {
  const script = await fetch(`${gatehouse}/extensions/gatehouse.js`);
  return `window.GATEHOUSE_VARS = ${JSON.stringify({ URL: gatehouse })};\n${await script.text()}`;
}

async function bundlePage(): Promise<string> {
  const build = await rolldown({
    input: `${import.meta.dirname}/page.tsx`,
    platform: "browser",
    transform: { define: { "process.env.NODE_ENV": '"production"' } },
  });
  const { output } = await build.generate({ format: "iife" });
  await build.close();
  return output[0].code;
}

function writeTree({ kind, metadata }: Resource): string {
  return JSON.stringify({ nodes: [{ group: "argoproj.io", kind, ...metadata }] });
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
