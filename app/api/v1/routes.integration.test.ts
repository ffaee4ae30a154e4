import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import { Problem } from "#lib/contract/problem.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb();
});
afterAll(() => web.close());

type Entry = Omit<Endpoint, "status"> & { status?: number };
const table: [string, Entry][] = Object.entries(endpoints);

const samples: Record<string, string> = {
  cluster: "demo",
  namespace: "nowhere",
  kind: "Rollout",
  templateKind: "AnalysisTemplate",
  name: "nothing",
  id: "00000000-0000-4000-8000-000000000000",
  uid: "no-such-run",
  seq: "999999",
};

function paramsOf(entry: Entry): Record<string, string> {
  const names = [...entry.path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] ?? "");
  return Object.fromEntries(names.map((name) => [name, samples[name] ?? "x"]));
}

const querySamples: Record<string, string> = {
  pods: "x",
  username: "x",
  cluster: "x",
  namespace: "x",
  from: "2026-01-01T00:00:00Z",
  to: "2026-01-02T00:00:00Z",
};

/** Returns the parameters without which the query is refused. */
function requiredQueryOf({ query }: Entry): URLSearchParams {
  const shape = query !== undefined && "shape" in query ? (query.shape as Record<string, z.ZodType>) : {};
  const required = Object.keys(shape).filter((name) => shape[name]?.safeParse(undefined).success === false);
  return new URLSearchParams(required.map((name) => [name, querySamples[name] ?? "x"]));
}

async function loadHandler(entry: Entry): Promise<RouteHandler> {
  const folder = entry.path.replaceAll("{", "[").replaceAll("}", "]");
  const file = join(import.meta.dirname, "../..", folder, "route.ts");
  expect(existsSync(file), `${file} is missing`).toBe(true);
  const module: Record<string, unknown> = await import(file);
  return module[entry.method] as RouteHandler;
}

async function call(entry: Entry, init: Parameters<TestWeb["request"]>[1] = {}): Promise<Response> {
  const params = paramsOf(entry);
  const path = entry.path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => params[name] ?? "");
  const handler = await loadHandler(entry);
  return handler(web.request(`${path}?${requiredQueryOf(entry)}`, { method: entry.method, ...init }), {
    params: Promise.resolve(params),
  });
}

describe("every endpoint of the table", () => {
  it.each(table)("%s answers 401 without credentials, before anything is parsed", async (_, entry) => {
    const response = await call(entry, entry.method === "GET" ? {} : { body: "{", headers: { "content-type": "x/y" } });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    const problem = Problem.parse(await response.json());
    expect(problem.code).toBe("unauthenticated");
    expect(response.headers.get("x-request-id")).toBe(problem.requestId);
  });

  it.each(table.filter(([, entry]) => entry.role !== "viewer"))("%s is forbidden to a viewer", async (_, entry) => {
    const response = await call(entry, { as: "viewer", ...(entry.body === undefined ? {} : { body: "{}" }) });
    expect(response.status).toBe(403);
    expect(Problem.parse(await response.json()).code).toBe("forbidden");
  });

  it.each(table.filter(([, entry]) => entry.params !== undefined))("%s refuses names with NUL", async (_, entry) => {
    const handler = await loadHandler(entry);
    const params = Object.fromEntries(Object.entries(paramsOf(entry)).map(([name, text]) => [name, `${text}\u0000`]));
    const body = entry.body === undefined ? {} : { body: "{}" };
    const request = web.request("/any", { as: "admin", method: entry.method, ...body });
    const response = await handler(request, { params: Promise.resolve(params) });
    expect(response.status).toBe(400);
  });

  it.each(table.filter(([, entry]) => entry.query !== undefined))(
    "%s refuses an unknown parameter",
    async (_, entry) => {
      const params = paramsOf(entry);
      const path = entry.path.replaceAll(/\{([^}]+)\}/g, (_match, name: string) => params[name] ?? "");
      const handler = await loadHandler(entry);
      const request = web.request(`${path}?${requiredQueryOf(entry)}&surprise=1`, { as: "admin" });
      const response = await handler(request, { params: Promise.resolve(params) });
      expect(response.status).toBe(400);
      const problem = Problem.parse(await response.json());
      expect(problem.invalidParams).toContainEqual({ name: "surprise", reason: "not known" });
    },
  );

  it.each(table.filter(([, entry]) => entry.params !== undefined && entry.method !== "POST"))(
    "%s answers 404 for what is not there",
    async (name, entry) => {
      const response = await call(entry, { as: "admin" });
      // A token must not look for the request of another: it is refused before anything is looked for.
      const isForPersons = name === "getDeviceRequest";
      expect(response.status).toBe(isForPersons ? 403 : 404);
      expect(Problem.parse(await response.json()).code).toBe(isForPersons ? "forbidden" : "not_found");
    },
  );

  it.each(table.filter(([, entry]) => entry.body !== undefined))(
    "%s takes at most 64 KiB of JSON, or the size in the table",
    async (_, entry) => {
      const text = await call(entry, { as: "admin", body: "a=1", headers: { "content-type": "text/plain" } });
      expect(text.status).toBe(415);
      const large = await call(entry, {
        as: "admin",
        body: JSON.stringify({ reason: "x".repeat(((entry.maxBodyKib ?? 64) + 4) * 1024) }),
      });
      expect(large.status).toBe(413);
      expect((await call(entry, { as: "admin", body: "{" })).status).toBe(400);
      expect((await call(entry, { as: "admin", body: "{}" })).status).toBe(400);
    },
  );

  it("names no parameter twice over path, query and body", () => {
    for (const [name, entry] of table) {
      const names = [entry.params, entry.query, entry.body].flatMap((schema) =>
        schema === undefined || !("shape" in schema) ? [] : Object.keys(schema.shape as object),
      );
      expect(new Set(names).size, name).toBe(names.length);
    }
  });
});

describe("an action that a viewer asks for", () => {
  const audited = async () => {
    const { rows } = await web.runtime.pool.query("SELECT FROM audit_entry WHERE outcome = 'refused'");
    return rows.length;
  };
  const body = JSON.stringify({ action: "abort", expect: { viewDigest: "x" } });

  it("is refused and audited before anything else is looked at", async () => {
    const before = await audited();
    const headers = { "idempotency-key": "not a key" };
    const response = await call(endpoints.actOnRollout, { as: "viewer", body, headers });
    expect(response.status).toBe(403);
    expect(await audited()).toBe(before + 1);
  });

  it("cannot fill the audit log by naming ever new rollouts", async () => {
    const handler = await loadHandler(endpoints.actOnRollout);
    const before = await audited();
    for (let index = 0; index < 80; index += 1) {
      const params = { ...paramsOf(endpoints.actOnRollout), name: `made-up-${index}` };
      const request = web.request("/any", { as: "viewer", method: "POST", body });
      expect((await handler(request, { params: Promise.resolve(params) })).status).toBe(403);
    }
    expect((await audited()) - before).toBeLessThanOrEqual(60);
  });

  it("has a name that fits an index", async () => {
    const handler = await loadHandler(endpoints.actOnRollout);
    const params = { ...paramsOf(endpoints.actOnRollout), name: randomBytes(3000).toString("hex") };
    const request = (as: "viewer" | "admin") => web.request("/any", { as, method: "POST", body });
    expect((await handler(request("viewer"), { params: Promise.resolve(params) })).status).toBe(403);
    expect((await handler(request("admin"), { params: Promise.resolve(params) })).status).toBe(400);
  });
});

describe("with the database away", () => {
  it.each(table.filter(([, entry]) => entry.method === "GET"))("%s answers 503 and comes back", async (_, entry) => {
    const { pool } = web.runtime;
    const connect = pool.connect.bind(pool);
    const query = pool.query.bind(pool);
    const refuse = () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
    Object.assign(pool, { connect: refuse, query: refuse });
    const response = await call(entry, { as: "admin" });
    Object.assign(pool, { connect, query });
    expect(response.status).toBe(503);
    expect(Problem.parse(await response.json()).code).toBe("unavailable");
    expect((await call(entry, { as: "admin" })).status).not.toBe(503);
  });
});
