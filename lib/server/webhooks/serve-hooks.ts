import type { IncomingMessage, ServerResponse } from "node:http";
import { decideHook, type HookRequest } from "#lib/domain/flagger/gates/decide-hook.ts";
import type { HookAnswer } from "#lib/domain/flagger/gates/hook-answer.ts";
import { isHookType } from "#lib/domain/flagger/gates/hook-payload.ts";
import type { HookServer } from "#lib/server/webhooks/create-hook-server.ts";
import { type Answering, type Limits, readBody, send } from "#lib/server/webhooks/hook-http.ts";
import { parseCredential, parseTokenCredential } from "#lib/server/webhooks/hook-secret.ts";
import { type SlackClicks, serveSlack, slackPath } from "#lib/server/webhooks/serve-slack.ts";

/** A call is answered within a second; this leaves time for the way. */
const answerWithinMs = 800;
const maxBytes = 64 * 1024;
/** An API server sends batches of at most 400 events by default, each with the patch that it is about. */
const maxAuditBytes = 16 * 1024 * 1024;
const readAuditWithinMs = 10_000;

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
  /** Takes clicks in Slack; undefined while Gatehouse starts. */
  clicks: SlackClicks | undefined;
};

/**
 * Answers a request below /hooks: in front of every page, so that nothing can redirect it, render it or turn it into
 * another method. Every answer is short JSON that may not be cached. Never throws.
 */
export async function serveHook({ request, response, address, server, clicks }: Serving): Promise<void> {
  const deadline = performance.now() + answerWithinMs;
  const [path = ""] = (request.url ?? "").split("?", 1);
  if (path === slackPath) return serveSlack({ request, response, clicks });
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
}: Omit<Serving, "clicks"> & { cluster: string }): Promise<void> {
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

async function readJson(request: IncomingMessage, limits: Limits): Promise<HookRequest["body"]> {
  const body = await readBody(request, limits);
  if (body.kind !== "bytes") return body.kind === "too_large" ? body : { kind: "not_json" };
  try {
    return { kind: "json", value: JSON.parse(body.bytes.toString("utf8")) };
  } catch {
    return { kind: "not_json" };
  }
}

function sendAnswer({ answer, ...answering }: Answering & { answer: HookAnswer }): void {
  const { httpStatus: status, decision, reason } = answer;
  send({ ...answering, status, body: { decision, reason } });
}
