import { globSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Endpoint } from "#lib/contract/endpoint.ts";
import { endpoints } from "#lib/contract/endpoint-table.ts";
import type { RouteHandler } from "#lib/server/edge/http/endpoint.ts";
import { handleAuth } from "#lib/server/edge/http/handle-auth.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { proxy } from "../../proxy.ts";
import { configOf, openSession } from "./people.ts";

const { serverRooms } = createRequire(import.meta.url)("../../scripts/server-rooms.cjs") as {
  serverRooms: string[];
};

let web: TestWeb;
let cookie: string;
beforeAll(async () => {
  web = await startTestWeb({ config: configOf() });
  cookie = (await openSession(web, "admin")).cookie;
});
afterAll(() => web.close());

type Entry = Omit<Endpoint, "status"> & { status?: number };
const table: [string, Entry][] = Object.entries(endpoints);

async function call(
  entry: Entry,
  headers: Record<string, string>,
  body?: string,
  method: string = entry.method,
): Promise<Response> {
  const folder = entry.path.replaceAll("{", "[").replaceAll("}", "]");
  const module = await import(join(import.meta.dirname, "../../app", folder, "route.ts"));
  const handler = module[entry.method] as RouteHandler;
  const params = { cluster: "demo", namespace: "a", kind: "Rollout", templateKind: "AnalysisTemplate", name: "b" };
  const ids = { id: "x", uid: "x", seq: "1", userCode: "x" };
  const init = { method, headers, ...(body === undefined ? {} : { body }) };
  return handler(new Request(`${testOrigin}/any`, init), { params: Promise.resolve({ ...params, ...ids }) });
}

/** Next.js CVE-2025-29927: a header made the framework skip the middleware, which was the only gate. */
describe("the proxy is no gate", () => {
  const skip = "src/middleware:src/middleware:src/middleware:src/middleware:src/middleware";

  it.each(table)("%s authorises by itself", async (_, entry) => {
    expect((await call(entry, { "x-middleware-subrequest": skip })).status).toBe(401);
  });

  it("and the header goes no further than it", () => {
    const passed = proxy(new NextRequest(`${testOrigin}/inbox`, { headers: { "x-middleware-subrequest": skip } }));
    expect(passed.headers.get("x-middleware-override-headers")).not.toContain("x-middleware-subrequest");
  });

  it("every page asks who looks, by itself: a layout above it is not run for each of them", () => {
    const root = join(import.meta.dirname, "../../app");
    const pages = globSync("**/page.tsx", { cwd: root }).filter((file) => !file.startsWith("(auth)/"));
    const asks = (file: string) => {
      const text = readFileSync(join(root, file), "utf8");
      return /await require(PageActor|AdminPage)\(\)/.test(text) || /Page\(\): never \{\s+redirect\(/.test(text);
    };
    expect(pages.length).toBeGreaterThan(8);
    // Show what is published, and nothing of the installation: docs/adr/0018 and 0019. No room is below the one that
    // they may import from (scripts/server-rooms.cjs).
    const open = ["docs/[[...page]]/page.tsx", "docs/api/[[...group]]/page.tsx"];
    expect(pages.filter((file) => !asks(file)).sort()).toEqual(open);
    for (const file of [...open, "docs/layout.tsx", "docs/not-found.tsx"])
      expect(readFileSync(join(root, file), "utf8")).not.toMatch(/#lib\/server\/(?!platform\/docs\/)/);
    expect(serverRooms[0]).toBe("platform/docs");
  });
});

/** Argo CD CVE-2024-22424: a page on a sibling domain sent JSON as text/plain, with the cookie. */
describe("a page of a sibling domain", () => {
  const siblings: Record<string, string>[] = [
    { "sec-fetch-site": "same-site" },
    { origin: "http://evil.127.0.0.1:7460" },
  ];
  const changes = table.filter(([, { method }]) => method !== "GET");

  it.each(changes)("cannot call %s", async (_, entry) => {
    const body = entry.body === undefined ? undefined : "{}";
    for (const type of ["text/plain", "application/json"])
      for (const from of siblings)
        expect((await call(entry, { ...from, cookie, "content-type": type }, body)).status).toBe(403);
  });

  it.each(changes.filter(([, { body }]) => body !== undefined))("and %s takes nothing but JSON", async (_, entry) => {
    const own = { "sec-fetch-site": "same-origin", cookie };
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""])
      expect((await call(entry, { ...own, "content-type": type }, "{}")).status).toBe(415);
  });

  describe.each(["exportAudit", "verifyAudit"] as const)("%s, which leaves an entry in the audit log", (name) => {
    const entry: Entry = endpoints[name];
    const countEntries = async () => {
      const sql = "SELECT count(*)::int AS count FROM audit_entry WHERE code IN ('audit.export', 'audit.verify')";
      return (await web.runtime.pool.query<{ count: number }>(sql)).rows[0]?.count ?? 0;
    };

    it("is not for foreign pages with a cookie", async () => {
      const before = await countEntries();
      for (const from of [...siblings, { "sec-fetch-site": "cross-site" }])
        expect((await call(entry, { ...from, cookie })).status).toBe(403);
      expect(await countEntries()).toBe(before);
    });

    it.each<[string, Record<string, string>]>([
      ["our own page", { "sec-fetch-site": "same-origin" }],
      ["a typed address", { "sec-fetch-site": "none" }],
      ["an old browser", {}],
      ["an old browser's script on our own page", { origin: testOrigin }],
    ])("is for %s", async (_, from) => {
      const response = await call(entry, { ...from, cookie });
      expect(response.status).toBe(200);
      await response.text();
    });

    it("is not run by HEAD", async () => {
      const before = await countEntries();
      const response = await call(entry, { cookie, "sec-fetch-site": "same-origin" }, undefined, "HEAD");
      expect([response.status, await response.text()]).toEqual([200, ""]);
      expect(await countEntries()).toBe(before);
    });
  });

  it("cannot sign anybody in or out", async () => {
    for (const path of ["signin/oidc", "signout"]) {
      const headers = { cookie, "sec-fetch-site": "same-site", "content-type": "application/x-www-form-urlencoded" };
      const request = new Request(`${testOrigin}/api/auth/${path}`, { method: "POST", headers, body: "json=true" });
      expect((await handleAuth({ request, segments: path.split("/") })).status).toBe(403);
    }
  });

  it("leaves a trace in the audit log, within bounds", async () => {
    const { rows } = await web.runtime.pool.query(
      "SELECT count(*)::int AS count, max(actor_name) AS name FROM audit_entry WHERE code = 'access.refused'",
    );
    expect(rows[0]).toMatchObject({ name: "admin" });
    expect(rows[0].count).toBeGreaterThan(0);
    expect(rows[0].count).toBeLessThanOrEqual(60);
  });
});
