import type { IncomingMessage, ServerResponse } from "node:http";
import { decideHook, type HookRequest } from "#lib/domain/flagger/gates/decide-hook.ts";
import type { HookAnswer } from "#lib/domain/flagger/gates/hook-answer.ts";
import { isHookType } from "#lib/domain/flagger/gates/hook-types.ts";
import type { HookServer } from "#lib/server/hooks/create-hook-server.ts";
import { type Deadline, msUntil } from "#lib/server/hooks/hook-call.ts";
import { parseCredential } from "#lib/server/hooks/hook-secret.ts";

/** A call is answered within a second; this leaves time for the way. */
const answerWithinMs = 800;
const maxBytes = 64 * 1024;
/** How long a caller that is still sending may read the answer. */
const lingerMs = 1000;

const hookPath =
  /^\/hooks\/flagger\/([a-z0-9][a-z0-9-]{0,62})\/([a-z-]{1,40})(?:\/([A-Za-z0-9][A-Za-z0-9._-]{0,99}))?$/;

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
 * another method. Every answer is short JSON that nobody may store. Never throws.
 */
export async function serveHook({ request, response, address, server }: Serving): Promise<void> {
  const deadline = performance.now() + answerWithinMs;
  const [path = ""] = (request.url ?? "").split("?", 1);
  const [, cluster, type, label = ""] = hookPath.exec(path) ?? [];
  if (cluster === undefined || type === undefined || !isHookType(type)) {
    send({ request, response, status: 404, body: { decision: "deny", reason: "not_found" } });
    return;
  }
  const { method = "" } = request;
  try {
    const body = method === "POST" ? await readBody(request, deadline) : ({ kind: "not_json" } as const);
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

/** Reads at most 64 KiB, until the deadline: a body that is not there by then is none. */
async function readBody(request: IncomingMessage, deadline: Deadline): Promise<HookRequest["body"]> {
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return { kind: "too_large" };
  const { promise, resolve } = Promise.withResolvers<HookRequest["body"]>();
  const chunks: Buffer[] = [];
  let size = 0;
  request.on("data", (chunk: Buffer) => {
    size += chunk.byteLength;
    if (size <= maxBytes) chunks.push(chunk);
    else resolve({ kind: "too_large" });
  });
  request.on("end", () => resolve(parseJson(Buffer.concat(chunks).toString("utf8"))));
  request.on("close", () => resolve({ kind: "not_json" }));
  const timer = setTimeout(() => resolve({ kind: "not_json" }), msUntil(deadline));
  const body = await promise;
  clearTimeout(timer);
  return body;
}

function parseJson(text: string): HookRequest["body"] {
  try {
    return { kind: "json", value: JSON.parse(text) };
  } catch {
    return { kind: "not_json" };
  }
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
}: Answering & { status: HookAnswer["httpStatus"] | 404; body: { decision: string; reason: string } }): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(status === 405 ? { allow: "POST" } : {}),
    // What is left of a body is not read, so the connection cannot be used again.
    ...(request.complete ? {} : { connection: "close" }),
  });
  response.end(text);
  if (request.complete) return;
  request.resume();
  setTimeout(() => request.destroy(), lingerMs).unref();
}
