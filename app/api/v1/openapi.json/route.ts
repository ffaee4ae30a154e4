import { createHash } from "node:crypto";
import { readOpenApiDocument } from "#lib/contract/openapi.ts";
import { getWebRuntime } from "#lib/server/process/web-runtime.ts";
import { basePathOf } from "#lib/util/base-path.ts";

type Made = { basePath: string; text: string; etag: string };
/** Made once per process: it needs no sign-in, and must be cheap. */
let made: Made | undefined;

/** Serves the OpenAPI document; public, like the code that it describes. */
export function GET(request: Request): Response {
  const basePath = basePathOf(getWebRuntime().config().config.publicUrl);
  if (made?.basePath !== basePath) made = make(basePath);
  const { text, etag } = made;
  const headers = { etag, "cache-control": "public, max-age=300" };
  if (request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
  return new Response(text, { headers: { ...headers, "content-type": "application/json" } });
}

function make(basePath: string): Made {
  const text = JSON.stringify({ ...readOpenApiDocument(), servers: [{ url: basePath === "" ? "/" : basePath }] });
  return { basePath, text, etag: `"${createHash("sha256").update(text).digest("base64url")}"` };
}

export const dynamic = "force-dynamic";
