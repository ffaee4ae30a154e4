import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { guardRawRequests } from "#lib/server/edge/http/guard-raw-requests.ts";
import { handleAuth } from "#lib/server/edge/http/handle-auth.ts";
import { setRequestLimits, usualLimits } from "#lib/server/edge/http/request-limits.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import { GET as getStorage } from "../admin/storage/route.ts";
import { POST as assess } from "../analysis/assess/route.ts";
import { GET as getMe } from "../me/route.ts";
import { POST as createToken } from "../tokens/route.ts";

/** Argo CD CVE-2025-59531 and CVE-2025-59538: large or malformed webhooks from strangers crashed the server. */

let web: TestWeb;
beforeAll(async () => {
  web = await startTestWeb();
});
afterEach(() => setRequestLimits(web.runtime, usualLimits));
afterAll(() => web.close());

const post = (body: RequestInit["body"], headers: Record<string, string> = {}) =>
  web.request("/any", { as: "admin", method: "POST", body: body ?? null, headers, duplex: "half" } as RequestInit & {
    as: "admin";
  });

describe("a body", () => {
  it.each([
    ["arrays", "[".repeat(30_000)],
    ["closed arrays", `${"[".repeat(30_000)}${"]".repeat(30_000)}`],
    ["objects", `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`],
    ["a little too deep", `${"[".repeat(65)}${"]".repeat(65)}`],
  ])("of %s in each other is refused before anything walks over it", async (_, body) => {
    const response = await assess(post(body));
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: "invalid_request", invalidParams: [{ name: "body" }] });
  });

  it("that does not end is read no further than the limit", async () => {
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        sent += 16 * 1024;
        controller.enqueue(new Uint8Array(16 * 1024).fill(32));
      },
    });
    expect((await createToken(post(endless))).status).toBe(413);
    expect(sent).toBeLessThanOrEqual(160 * 1024);
  });

  it("that says it is short and is not, is measured", async () => {
    const long = JSON.stringify({ name: "x".repeat(70_000), role: "viewer" });
    expect((await createToken(post(long, { "content-length": "10" }))).status).toBe(413);
  });

  it("of a form to sign in has the same bounds", async () => {
    const send = async (type: string, body: string) => {
      const headers = { "sec-fetch-site": "same-origin", "content-type": type };
      const request = new Request(`${testOrigin}/api/auth/callback/demo`, { method: "POST", headers, body });
      return (await handleAuth({ request, segments: ["callback", "demo"] })).status;
    };
    expect(await send("application/json", `${"[".repeat(9000)}`)).toBe(400);
    expect(await send("application/json", "x".repeat(70_000))).toBe(413);
    expect(await send("application/x-www-form-urlencoded", "x".repeat(70_000))).toBe(413);
  });

  it("with names that every object has, is data", async () => {
    const body = '{"name":"t","role":"viewer","__proto__":{"role":"admin"},"constructor":{}}';
    expect((await createToken(post(body))).status).not.toBe(500);
    expect(({} as Record<string, unknown>).role).toBeUndefined();
  });
});

describe("the address of a request", () => {
  it("is the socket's, or the word of a proxy that the config names, before anything of Next sees it", async () => {
    const server = createServer((request, response) => response.end(String(request.headers["x-forwarded-for"])));
    guardRawRequests(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
    const ask = async (forwarded?: string) =>
      (await fetch(url, forwarded === undefined ? {} : { headers: { "x-forwarded-for": forwarded } })).text();
    const { config } = web.runtime.config();
    try {
      expect(await ask()).toBe("127.0.0.1");
      expect(await ask("198.51.100.1")).toBe("127.0.0.1");
      config.trustedProxies = ["127.0.0.0/8", "198.51.100.0/24"];
      expect(await ask("1.1.1.1, 203.0.113.5, 198.51.100.1")).toBe("203.0.113.5");
    } finally {
      config.trustedProxies = [];
      server.close();
    }
  });
});

describe("too many requests", () => {
  it("of one person are refused over all tokens, others go on", async () => {
    setRequestLimits(web.runtime, { ...usualLimits, requestsPerMinute: 2 });
    const ask = (as: "viewer" | "operator") => getMe(web.request("/api/v1/me", { as }));
    expect([(await ask("viewer")).status, (await ask("viewer")).status]).toEqual([200, 200]);
    const refused = await ask("viewer");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask("operator")).status).toBe(200);
  });

  it("with wrong tokens are refused by address, and the right ones go on", async () => {
    const send = async (token: string) =>
      (
        await getMe(
          new Request(`${testOrigin}/api/v1/me`, {
            headers: { authorization: `Bearer ${token}`, "x-forwarded-for": "198.51.100.7" },
          }),
        )
      ).status;
    const statuses = new Set<number>();
    for (let index = 0; index < 40; index += 1) statuses.add(await send(`ght_${String(index).padStart(43, "A")}`));
    expect([...statuses]).toEqual([401, 429]);
    expect(await send(web.tokens.viewer)).toBe(200);
  });

  it("that are refused do not fill the audit log, and each that is written says what was asked", async () => {
    const ask = (as: "viewer" | "operator") => getStorage(web.request("/any", { as }));
    for (let index = 0; index < 15; index += 1) {
      expect((await ask("viewer")).status).toBe(403);
      expect((await ask("operator")).status).toBe(403);
    }
    const { rows } = await web.runtime.pool.query<{ actor_name: string; entry: string }>(
      "SELECT actor_name, entry FROM audit_entry WHERE code = 'access.refused' ORDER BY seq",
    );
    expect(rows.map((row) => row.actor_name)).toEqual(Array.from({ length: 10 }, () => ["viewer", "operator"]).flat());
    expect(JSON.parse(rows[0]?.entry ?? "")).toMatchObject({
      outcome: "refused",
      detail: { endpoint: "getAdminStorage", problem: "forbidden" },
    });
  });
});
