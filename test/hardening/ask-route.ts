import { join } from "node:path";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { testOrigin } from "#test/web-runtime.ts";
import { type Name, rows } from "./route-rows.ts";
import type { Seed } from "./seed.ts";

const routeRoot = join(import.meta.dirname, "../../app");

/** Calls the handler of an endpoint with the path and the body of its row. */
export async function askRoute(
  name: Name,
  { seed, headers }: { seed: Seed; headers: Record<string, string> },
): Promise<Response> {
  const { method, path: pattern } = endpoints[name];
  const file = join(routeRoot, pattern.replaceAll("{", "[").replaceAll("}", "]"), "route.ts");
  const module = (await import(file)) as Record<string, RouteHandler | undefined>;
  const handler = module[method];
  if (handler === undefined) throw new Error(`${file} exports no ${method}`);
  const { path, params, body } = sentOf(name, seed);
  const request = new Request(testOrigin + path, { method, headers, ...(body === undefined ? {} : { body }) });
  return handler(request, { params: Promise.resolve(params) });
}

function sentOf(name: Name, seed: Seed): { path: string; params: Record<string, string>; body: string | undefined } {
  const { path } = endpoints[name];
  const { id, query = "", body } = rows[name].send?.(seed) ?? {};
  const places: Record<string, string> = path.includes("{templateKind}") ? seed.template : seed.path;
  const params: Record<string, string> = {};
  for (const [, key = ""] of path.matchAll(/\{([^}]+)\}/g)) params[key] = places[key] ?? String(id);
  const filled = path.replaceAll(/\{([^}]+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ""));
  return { path: filled + query, params, body: body === undefined ? undefined : JSON.stringify(body) };
}
