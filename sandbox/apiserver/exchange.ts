import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { stringify } from "yaml";
import { ApiError } from "./api-error.ts";
import type { UserInfo } from "./auth.ts";
import type { FaultTarget } from "./faults.ts";
import type { RequestInfo } from "./request-info.ts";

/** One request and its response. `user` is the impersonated one, if any. */
export type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  url: URL;
  info: RequestInfo;
  user: UserInfo;
  /** The body of a write, for its audit event. */
  sent?: string;
};

export type Format = "object" | "table" | "partial";

const gzipAsync = promisify(gzip);
const GZIP_FROM_BYTES = 128 * 1024;
const MAX_BODY_BYTES = 3 * 1024 * 1024;

/** Returns the resource, namespace and verb of a request, to match it against the faults. */
export function targetOf({ info }: Pick<Exchange, "info">): FaultTarget {
  if (!info.isResource) return {};
  return { resource: info.resource, namespace: info.namespace, verb: info.verb };
}

/** Sets the headers of every response. A client may choose its audit id (k8s.io/apiserver, `WithAuditInit`). */
export function setCommonHeaders({ req, res }: Pick<Exchange, "req" | "res">, date: Date): void {
  const asked = req.headers["audit-id"];
  res.setHeader("Audit-Id", typeof asked === "string" && asked !== "" ? asked : randomUUID());
  res.setHeader("Cache-Control", "no-cache, private");
  res.setHeader("Date", date.toUTCString());
}

export function auditIdOf(res: ServerResponse): string {
  return String(res.getHeader("Audit-Id"));
}

/** Sends JSON text; as YAML if the client prefers that; compressed if it is large and the client accepts gzip. */
export async function sendJson(exchange: Pick<Exchange, "req" | "res">, code: number, json: string): Promise<void> {
  const { req, res } = exchange;
  const isYaml = preferredType(req.headers.accept) === "application/yaml";
  let body = Buffer.from(isYaml ? stringify(JSON.parse(json)) : json);
  res.statusCode = code;
  res.setHeader("Content-Type", isYaml ? "application/yaml" : "application/json");
  if (body.length >= GZIP_FROM_BYTES && /\bgzip\b/.test(req.headers["accept-encoding"] ?? "")) {
    res.setHeader("Content-Encoding", "gzip");
    res.setHeader("Vary", "Accept-Encoding");
    body = await gzipAsync(body, { level: 1 });
  }
  res.setHeader("Content-Length", body.length);
  res.end(body);
}

export function sendText(res: ServerResponse, code: number, text: string): void {
  res.statusCode = code;
  res.setHeader("Content-Type", "text/plain; charset=utf-8");
  res.setHeader("X-Content-Type-Options", "nosniff");
  res.setHeader("Content-Length", Buffer.byteLength(text));
  res.end(text);
}

export function sendPathNotFound(res: ServerResponse): void {
  sendText(res, 404, "404 page not found\n");
}

/** Sends the refusal of priority and fairness, which is plain text. */
export function sendTooMany(res: ServerResponse): void {
  res.setHeader("Retry-After", "1");
  sendText(res, 429, "Too many requests, please try again later.\n");
}

/**
 * Sends the 504 of a timeout. The server's own is a Status. If the client's `timeout` runs out first, it is the text of
 * a Status without its kind, labelled as plain text.
 */
export function sendTimeout(res: ServerResponse, isOwn: boolean): void {
  unmute(res);
  if (isOwn) {
    const message = "Timeout: request did not complete within requested timeout - context deadline exceeded";
    sendError(res, new ApiError({ code: 504, reason: "Timeout", message, details: {} }));
    return;
  }
  const message = "Timeout: request did not complete within the allotted timeout";
  const body = { metadata: {}, status: "Failure", message, reason: "Timeout", details: {}, code: 504 };
  sendText(res, 504, JSON.stringify(body));
}

const VOICE = ["write", "end", "flushHeaders", "writeHead"] as const;

/** Mutes the response: everything written to it is discarded, until unmute. */
export function mute(res: ServerResponse): void {
  const silent: Record<(typeof VOICE)[number], () => unknown> = {
    write: () => true,
    end: () => res,
    flushHeaders: () => undefined,
    writeHead: () => res,
  };
  Object.assign(res, silent);
}

function unmute(res: ServerResponse): void {
  // The overrides that mute set on the object hide the methods of its class.
  for (const name of VOICE) Reflect.deleteProperty(res, name);
  for (const name of ["Content-Encoding", "Vary", "Retry-After"]) res.removeHeader(name);
}

/** Sends an error as a Status; a response that has already begun can only be cut. */
export function sendError(res: ServerResponse, error: ApiError): void {
  if (res.headersSent) {
    res.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(error.toStatus()));
  res.statusCode = error.code;
  res.setHeader("Content-Type", "application/json");
  if (error.code === 403) res.setHeader("X-Content-Type-Options", "nosniff");
  const retryAfter = error.details?.retryAfterSeconds;
  if (retryAfter !== undefined) res.setHeader("Retry-After", String(retryAfter));
  res.setHeader("Content-Length", body.length);
  res.end(body);
}

/** Reads a body that must be JSON text; typed clients that send protobuf get a 415. */
export async function readJsonBody(req: IncomingMessage): Promise<string> {
  const type = (req.headers["content-type"] ?? "application/json").split(";")[0]?.trim();
  const body = await readBody(req);
  if (type === "application/json" || type === "") return body;
  const message = "the body of the request was in an unknown format - accepted media types include: application/json";
  throw new ApiError({ code: 415, reason: "UnsupportedMediaType", message });
}

/** Reads the whole body; throws a 413 above 3 MiB. */
export async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Keep reading past the limit: a client that is still writing would miss the response.
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  if (size > MAX_BODY_BYTES) {
    const message = `Request entity too large: limit is ${MAX_BODY_BYTES}`;
    throw new ApiError({ code: 413, reason: "RequestEntityTooLarge", message });
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Returns the first media type of Accept that this server can produce, or undefined if it supports none. */
function preferredType(accept: string | undefined): "application/json" | "application/yaml" | undefined {
  for (const clause of (accept ?? "*/*").split(",")) {
    const type = clause.split(";")[0]?.trim();
    if (type === "application/json" || type === "application/*" || type === "*/*" || type === "")
      return "application/json";
    if (type === "application/yaml") return "application/yaml";
  }
  return undefined;
}

/** Throws a 406 if the client accepts nothing that this server can produce. */
export function requireAcceptable(req: IncomingMessage): void {
  if (preferredType(req.headers.accept) !== undefined) return;
  const types = "application/json, application/yaml, application/vnd.kubernetes.protobuf";
  const message = `only the following media types are accepted: ${types}`;
  throw new ApiError({ code: 406, reason: "NotAcceptable", message });
}

/** Returns whether the client asks for a Table or only for metadata instead of the objects. */
export function formatOf(req: IncomingMessage): Format {
  for (const clause of (req.headers.accept ?? "").split(",")) {
    const [type, ...parameters] = clause.split(";").map((part) => part.trim());
    if (type !== "application/json") continue;
    const isV1 = parameters.includes("v=v1") && parameters.includes("g=meta.k8s.io");
    if (isV1 && parameters.includes("as=Table")) return "table";
    if (isV1 && parameters.some((parameter) => parameter.startsWith("as=PartialObjectMetadata"))) return "partial";
    if (!parameters.some((parameter) => parameter.startsWith("as="))) return "object";
  }
  return "object";
}

/** Returns the field manager: the parameter, else the program name at the start of User-Agent. */
export function managerOf(exchange: Pick<Exchange, "req" | "url">): string {
  const asked = exchange.url.searchParams.get("fieldManager");
  if (asked !== null && asked !== "") return asked;
  const agent = (exchange.req.headers["user-agent"] ?? "").split("/")[0] ?? "";
  return agent === "" ? "unknown" : agent.slice(0, 128);
}
