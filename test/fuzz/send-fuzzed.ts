import { join } from "node:path";
import { z } from "zod";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { problemCodesOf } from "#lib/contract/openapi.ts";
import { Problem, problemStatus } from "#lib/contract/problem.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { testOrigin } from "#test/web-runtime.ts";

export type Name = keyof typeof endpoints;
export type TableEntry = Omit<Endpoint, "status"> & { status?: number };

/** The parts of a request: path parameters and query as objects of anything, the body as text or bytes. */
export type Sent = {
  params: Record<string, unknown>;
  query: Record<string, unknown>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
  contentType: string;
};

const routeRoot = join(import.meta.dirname, "../../app");

/** Sends a request to the endpoint's route handler, as Next would after routing, and reads the answer. */
export async function sendFuzzed(
  name: Name,
  { params, query, body, contentType }: Sent,
  headers: Record<string, string>,
): Promise<{ response: Response; text: string }> {
  const { method, path } = endpoints[name];
  const file = join(routeRoot, path.replaceAll("{", "[").replaceAll("}", "]"), "route.ts");
  const module = (await import(file)) as Record<string, RouteHandler | undefined>;
  const handler = module[method];
  if (handler === undefined) throw new Error(`${file} exports no ${method}`);
  // A segment is never empty, and comes out of percent-encoded UTF-8.
  const segments = Object.fromEntries(
    Object.entries(params).map(([key, value]) => [key, wordOf(value).toWellFormed() || "x"]),
  );
  const url = new URL(
    path.replaceAll(/\{([^}]+)\}/g, (_, key: string) => encodeURIComponent(segments[key] ?? "x")),
    testOrigin,
  );
  for (const [key, value] of Object.entries(query))
    for (const one of Array.isArray(value) ? value.slice(0, 5) : [value]) url.searchParams.append(key, wordOf(one));
  const request = new Request(url, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { "content-type": contentType }) },
    ...(body === undefined ? {} : { body }),
  });
  const response = await handler(request, { params: Promise.resolve(segments) });
  const isEndless = response.headers.get("content-type") === "text/event-stream";
  if (isEndless) await response.body?.cancel();
  return { response, text: isEndless ? "" : await response.text() };
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

const publishedResponses = new Map<Name, z.ZodType>();

/** The success schema as programs read it in the OpenAPI document: a member that it does not name is an error. */
function publishedResponseOf(name: Name, response: z.ZodType): z.ZodType {
  const known = publishedResponses.get(name);
  if (known !== undefined) return known;
  const published = z.fromJSONSchema(z.toJSONSchema(response, { io: "output", unrepresentable: "any" }) as never);
  publishedResponses.set(name, published);
  return published;
}

/** Returns how a response breaks the contract; undefined if it does not. */
export function findBreach(name: Name, response: Response, text: string): string | undefined {
  const { status } = response;
  const type = response.headers.get("content-type")?.split(";")[0];
  const shown = `${status} ${type} ${text.slice(0, 600)}`;
  if (response.headers.get("x-request-id") === null) return `no request id: ${shown}`;
  return status >= 400
    ? findProblemBreach(name, { status, type, text })
    : findSuccessBreach(name, { status, type, text });
}

type Answer = { status: number; type: string | undefined; text: string };

function findProblemBreach(name: Name, { status, type, text }: Answer): string | undefined {
  const shown = `${status} ${type} ${text.slice(0, 600)}`;
  if (type !== "application/problem+json") return `a problem of another type: ${shown}`;
  const problem = z.strictObject(Problem.shape).safeParse(JSON.parse(text));
  if (!problem.success) return `not a problem: ${problem.error.message} in ${shown}`;
  if (problem.data.status !== status || problemStatus[problem.data.code] !== status) return `wrong status: ${shown}`;
  if (!problemCodesOf(name, endpoints[name]).includes(problem.data.code)) return `undocumented code: ${shown}`;
  if (status >= 500) return `the server's failure: ${shown}`;
  return undefined;
}

function findSuccessBreach(name: Name, { status, type, text }: Answer): string | undefined {
  const entry: TableEntry = endpoints[name];
  const shown = `${status} ${type} ${text.slice(0, 600)}`;
  if (status !== (entry.status ?? 200)) return `undeclared status: ${shown}`;
  const types = entry.response === undefined ? (entry.contentTypes ?? []) : ["application/json"];
  if (!types.includes(type ?? "")) return `undeclared content type: ${shown}`;
  if (entry.response === undefined) return undefined;
  const fits = publishedResponseOf(name, entry.response).safeParse(JSON.parse(text));
  return fits.success ? undefined : `not what the contract says: ${fits.error.message} in ${shown}`;
}
