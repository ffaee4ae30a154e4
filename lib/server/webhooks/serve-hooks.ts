import type { IncomingMessage, ServerResponse } from "node:http";
import { decideHook, type HookRequest } from "#lib/domain/flagger/gates/decide-hook.ts";
import type { HookAnswer } from "#lib/domain/flagger/gates/hook-answer.ts";
import { isHookType } from "#lib/domain/flagger/gates/hook-payload.ts";
import type { HookServer } from "#lib/server/webhooks/create-hook-server.ts";
import { type Deadline, msUntil } from "#lib/server/webhooks/hook-call.ts";
import { parseCredential, parseTokenCredential } from "#lib/server/webhooks/hook-secret.ts";
import type { AuditBody } from "#lib/server/webhooks/receive-audit.ts";

/** A call is answered within a second; this leaves time for the way. */
const answerWithinMs = 800;
const maxBytes = 64 * 1024;
/** An API server sends batches of at most 400 events by default, each with the patch that it is about. */
const maxAuditBytes = 16 * 1024 * 1024;
const readAuditWithinMs = 10_000;
/** How long a caller that is still sending may read the answer. */
const lingerMs = 1000;

const hookPath =
  /^\/hooks\/flagger\/([a-z0-9][a-z0-9-]{0,62})\/([a-z-]{1,40})(?:\/([A-Za-z0-9][A-Za-z0-9._-]{0,99}))?$/;

const auditPath = /^\/hooks\/kubernetes-audit\/([a-z0-9][a-z0-9-]{0,62})$/;

/** Returns whether a path is below /hooks: nothing but `serveHook` may answer it. */
export function isBelowHooks(path: string): boolean {
  return path === "/hooks" || path.startsWith("/hooks/");
}

type Serving = {
  request: IncomingMessage;
  response: ServerResponse;
  /** The caller's address, as `settleClientAddress` determined it. */
  address: string;
  /** Undefined while Gatehouse starts. */
  server: HookServer | undefined;
};

/**
 * Answers a request below /hooks: in front of every page, so that nothing can redirect it, render it or turn it into
 * another method. Every answer is short JSON that may not be cached. Never throws.
 */
export async function serveHook({ request, response, address, server }: Serving): Promise<void> {
  const deadline = performance.now() + answerWithinMs;
  const [path = ""] = (request.url ?? "").split("?", 1);
  const [, audited] = auditPath.exec(path) ?? [];
  if (audited !== undefined) return serveAudit({ request, response, address, server, cluster: audited });
  const [, cluster, type, label = ""] = hookPath.exec(path) ?? [];
  if (cluster === undefined || type === undefined || !isHookType(type)) {
    send({ request, response, status: 404, body: { decision: "deny", reason: "not_found" } });
    return;
  }
  const { method = "" } = request;
  try {
    const body = method === "POST" ? await readJson(request, { deadline, maxBytes }) : ({ kind: "not_json" } as const);
    const asked: HookRequest = { type, method, body };
    const credential = parseCredential(request.headers.authorization);
    const answer =
      server === undefined
        ? decideHook({ request: asked, world: { kind: "unknown", why: "store_unavailable" } })
        : await server.answer({ ...asked, cluster, label, credential, address }, deadline);
    sendAnswer({ request, response, answer });
  } catch {
    sendAnswer({ request, response, answer: { httpStatus: 403, decision: "deny", reason: "store_unavailable" } });
  }
}

/** Answers an API server's audit webhook. A failure is always reported: the API server then sends the batch again. */
async function serveAudit({
  request,
  response,
  address,
  server,
  cluster,
}: Serving & { cluster: string }): Promise<void> {
  if (request.method !== "POST") {
    send({ request, response, status: 405, body: { reason: "method_not_allowed" } });
    return;
  }
  const credential = parseTokenCredential(request.headers.authorization);
  const readEvents = () => {
    const deadline = performance.now() + readAuditWithinMs;
    return readBody(request, { deadline, maxBytes: maxAuditBytes });
  };
  try {
    const { status, ...body } =
      server === undefined
        ? ({ status: 503, reason: "store_unavailable" } as const)
        : await server.receiveAudit({ cluster, credential, address, readBody: readEvents });
    send({ request, response, status, body });
  } catch {
    send({ request, response, status: 503, body: { reason: "store_unavailable" } });
  }
}

type Limits = { deadline: Deadline; maxBytes: number };

async function readJson(request: IncomingMessage, limits: Limits): Promise<HookRequest["body"]> {
  const body = await readBody(request, limits);
  if (body.kind !== "bytes") return body.kind === "too_large" ? body : { kind: "not_json" };
  try {
    return { kind: "json", value: JSON.parse(body.bytes.toString("utf8")) };
  } catch {
    return { kind: "not_json" };
  }
}

/** Reads at most `maxBytes`, until the deadline: a body that has not ended by then is `missing`. */
async function readBody(request: IncomingMessage, { deadline, maxBytes }: Limits): Promise<AuditBody> {
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

type Answering = Pick<Serving, "request" | "response">;

function sendAnswer({ answer, ...answering }: Answering & { answer: HookAnswer }): void {
  const { httpStatus: status, decision, reason } = answer;
  send({ ...answering, status, body: { decision, reason } });
}

function send({
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
