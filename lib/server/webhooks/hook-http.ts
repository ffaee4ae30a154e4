import type { IncomingMessage, ServerResponse } from "node:http";
import { type Deadline, msUntil } from "#lib/server/webhooks/hook-call.ts";
import type { AuditBody } from "#lib/server/webhooks/receive-audit.ts";

/** How long a caller that is still sending may read the answer. */
const lingerMs = 1000;

export type Limits = { deadline: Deadline; maxBytes: number };

/** Reads at most `maxBytes`, until the deadline: a body that has not ended by then is `missing`. */
export async function readBody(request: IncomingMessage, { deadline, maxBytes }: Limits): Promise<AuditBody> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return { kind: "too_large" };
  // The caller may have gone while its credential was looked up: then no event below would fire.
  if (request.destroyed) return { kind: "missing" };
  const { promise, resolve } = Promise.withResolvers<AuditBody>();
  const chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size <= maxBytes) chunks.push(chunk);
    else resolve({ kind: "too_large" });
  });
  request.on("end", () => resolve({ kind: "bytes", bytes: Buffer.concat(chunks) }));
  request.on("close", () => resolve({ kind: "missing" }));
  const timer = setTimeout(() => resolve({ kind: "missing" }), msUntil(deadline));
  const body = await promise;
  clearTimeout(timer);
  return body;
}

export type Answering = { request: IncomingMessage; response: ServerResponse };

/** Answers with short JSON that may not be cached. */
export function send({
  request,
  response,
  status,
  body,
}: Answering & { status: number; body: { reason: string } & Record<string, unknown> }): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(status === 405 ? { allow: "POST" } : {}),
    ...(status === 429 || status === 503 ? { "retry-after": "1" } : {}),
    // The rest of a body is not read, so the connection cannot be used again.
    ...(request.complete ? {} : { connection: "close" }),
  });
  response.end(text);
  if (request.complete) return;
  request.resume();
  setTimeout(() => request.destroy(), lingerMs).unref();
}
