import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { guardRawRequests } from "#lib/server/edge/http/guard-raw-requests.ts";
import { setRequestLimits, usualLimits } from "#lib/server/edge/http/request-limits.ts";
import { sessionCookieName } from "#lib/server/people/auth/session-cookie.ts";
import { configOf, createToken, openSession } from "#test/hardening/people.ts";
import { startTestWeb, type TestWeb, testOrigin } from "#test/web-runtime.ts";
import ApiPage from "../../../docs/api/[[...group]]/page.tsx";
import { GET as getOpenApi } from "../openapi.json/route.ts";

let web: TestWeb;
let server: Server;
let served = 0;
/** Plays Next. */
let answer = (response: ServerResponse): void => void response.end();
beforeAll(async () => {
  web = await startTestWeb({ config: configOf({ trustedProxies: ["127.0.0.1"] }) });
  server = createServer((_request, response) => {
    served += 1;
    answer(response);
  });
  guardRawRequests(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => setRequestLimits(web.runtime, usualLimits));
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await web.close();
});

type Sender = { from?: string; authorization?: string; cookie?: string; signal?: AbortSignal };
function ask(path: string, { from = "192.0.2.1", signal, ...headers }: Sender = {}): Promise<Response> {
  const { port } = server.address() as AddressInfo;
  const options = { headers: { "x-forwarded-for": from, ...headers }, ...(signal === undefined ? {} : { signal }) };
  return fetch(`http://127.0.0.1:${port}${path}`, options);
}

describe("what needs no session", () => {
  const limit = 10;
  const open = [
    "/docs",
    "/docs/api",
    "/docs/api/rollouts",
    "/%64ocs/api",
    "/docs/images/x.png",
    "/signin",
    "/api/v1/openapi.json",
    "/status",
  ];
  beforeEach(() => {
    setRequestLimits(web.runtime, { ...usualLimits, addressRequestsPerMinute: limit });
  });

  it.each([...open, "/", "/nowhere", "/api/v1/me"])(
    "is refused by address, if it comes too often: %s",
    async (path) => {
      for (let index = 0; index < limit; index += 1) expect((await ask(path)).status).toBe(200);
      const before = served;
      const refused = await ask(path);
      expect([refused.status, served]).toEqual([429, before]);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(await refused.json()).toMatchObject({ code: "rate_limited" });
      expect((await ask(path, { from: "192.0.2.2" })).status).toBe(200);
    },
  );

  it.each([
    { path: "/inbox", headers: () => ({ cookie: `${sessionCookieName(testOrigin)}=forged` }) },
    { path: "/api/v1/me", headers: () => ({ cookie: `${sessionCookieName(testOrigin)}=forged` }) },
    { path: "/inbox", headers: () => ({ authorization: "Bearer ght_x" }) },
  ])("counts forged credentials as none: $path", async ({ path, headers }) => {
    for (let index = 0; index < limit; index += 1) expect((await ask(path, headers())).status).toBe(200);
    expect((await ask(path, headers())).status).toBe(429);
    const { cookie } = await openSession(web, "admin");
    expect((await ask(path, { cookie })).status).toBe(200);
  });

  it("is answered to who is signed in, whoever else has this address", async () => {
    const { cookie } = await openSession(web, "admin");
    const authorization = `Bearer ${(await createToken(web, { username: "admin" })).token}`;
    for (let index = 0; index < limit; index += 1) await ask("/docs");
    for (const path of open) {
      expect([path, (await ask(path, { cookie })).status]).toEqual([path, 200]);
      expect([path, (await ask(path, { authorization })).status]).toEqual([path, 200]);
      expect([path, (await ask(path, { cookie: cookie.replace("=", "=x") })).status]).toEqual([path, 429]);
      expect([path, (await ask(path, { authorization: "Bearer ght_x" })).status]).toEqual([path, 429]);
    }
  });

  it("does not count probes, files of the build, and requests with a session", async () => {
    const { cookie } = await openSession(web, "admin");
    for (let index = 0; index <= limit; index += 1) {
      for (const path of ["/livez", "/readyz", "/_next/static/x.js"]) expect((await ask(path)).status).toBe(200);
      expect((await ask("/api/v1/me", { cookie })).status).toBe(200);
    }
    expect((await ask("/docs")).status).toBe(200);
  });
});

describe("what needs no session, asked for many times at once", () => {
  const open: ServerResponse[] = [];
  beforeEach(() => {
    open.length = 0;
    served = 0;
    answer = (response) => void open.push(response);
    vi.useFakeTimers({ toFake: ["setTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
    answer = (response) => void response.end();
    for (const response of open) response.end();
  });
  const fromMany = (count: number) =>
    Array.from({ length: count }, (_, index) => ask("/signin", { from: `192.0.2.${index}` }));
  const untilServed = async (count: number): Promise<void> => {
    while (served < count) await setImmediate();
  };
  const endAll = (): void => {
    for (const response of open.splice(0)) response.end();
  };

  it("is answered one at a time, and people with a session in between", async () => {
    const { cookie } = await openSession(web, "admin");
    const asked = fromMany(3);
    await untilServed(1);
    const known = ask("/inbox", { cookie });
    await untilServed(2);
    for (let turn = 0; turn < 200; turn++) await setImmediate();
    expect(served).toBe(2);
    endAll();
    expect((await known).status).toBe(200);
    await untilServed(3);
    endAll();
    await untilServed(4);
    endAll();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("waits for no client that takes its answer slowly", async () => {
    const asked = fromMany(2);
    await untilServed(1);
    while (served < 2) {
      vi.advanceTimersByTime(100);
      await setImmediate();
    }
    endAll();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
  });

  it("is not made for a client that has gone meanwhile", async () => {
    const first = ask("/signin", { from: "192.0.2.1" });
    await untilServed(1);
    const gone = new AbortController();
    const second = ask("/signin", { from: "192.0.2.2", signal: gone.signal });
    for (let turn = 0; turn < 200; turn++) await setImmediate();
    gone.abort();
    await expect(second).rejects.toThrow();
    for (let turn = 0; turn < 200; turn++) await setImmediate();
    const third = ask("/signin", { from: "192.0.2.3" });
    endAll();
    await untilServed(2);
    endAll();
    expect((await Promise.all([first, third])).map(({ status }) => status)).toEqual([200, 200]);
    expect(served).toBe(2);
  });

  it("is refused if too many wait", async () => {
    const asked = fromMany(102);
    expect((await Promise.race(asked)).status).toBe(429);
    answer = (response) => void response.end();
    endAll();
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
  });
});

describe("what is costly to make", () => {
  it("is made once: the OpenAPI document", async () => {
    const url = `${testOrigin}/api/v1/openapi.json`;
    const first = getOpenApi(new Request(url));
    const stringify = vi.spyOn(JSON, "stringify");
    const second = getOpenApi(new Request(url));
    expect(stringify).not.toHaveBeenCalled();
    stringify.mockRestore();
    const etag = second.headers.get("etag") ?? "";
    expect([await first.text(), first.headers.get("etag")]).toEqual([await second.text(), etag]);
    expect(second.headers.get("cache-control")).toBe("public, max-age=300");
    const known = getOpenApi(new Request(url, { headers: { "if-none-match": `"other", W/${etag}` } }));
    expect([known.status, await known.text()]).toEqual([304, ""]);
    expect(getOpenApi(new Request(url, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  it("is made once: the operations of its pages", async () => {
    const show = async (...group: string[]) => (await ApiPage({ params: Promise.resolve({ group }) })).props;
    expect((await show()).groups).toBe((await show()).groups);
    const [first, second] = [await show("rollouts"), await show("rollouts")];
    expect(first.operations.length).toBeGreaterThan(0);
    expect(second.operations).toBe(first.operations);
  });
});
