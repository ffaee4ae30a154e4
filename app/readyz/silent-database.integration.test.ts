import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import pg from "pg";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { watchWebHealth } from "#lib/server/process/watch-web-health.ts";
import { startTestWeb, type TestWeb } from "#test/web-runtime.ts";
import { GET as getStatus } from "../status/route.ts";
import { GET as getReadiness } from "./route.ts";

/** A database that accepts connections and never answers, such as one behind a broken network. */
let silent: Server;
const sockets = new Set<Socket>();
let pool: pg.Pool;
let web: TestWeb;
beforeEach(async () => {
  silent = createServer((socket) => sockets.add(socket)).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const address = silent.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  pool = new pg.Pool({ connectionString: `postgresql://a:b@127.0.0.1:${port}/c` });
  pool.on("error", () => {});
  web = await startTestWeb();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  silent.close();
  await pool.end();
  await web.close();
});

const options = { known: [], onDatabaseError: () => {}, log: pino({ level: "silent" }) };

describe("the probes of the web process", () => {
  it("do not wait for a database that says nothing", async () => {
    const health = watchWebHealth({ ...options, pool });
    // Well below 100 ms, under any other load on the machine.
    expect(health.waitMs).toBeLessThan(100);
    Object.assign(web.runtime, { health });
    const response = await getReadiness();
    expect([response.status, await response.text()]).toEqual([
      503,
      expect.stringMatching(/^not ready: the database has not answered for \d+ s\n$/),
    ]);
    expect(await (await getStatus(web.request("/status"))).json()).toEqual({ ready: false });
  });

  it("answer from memory for a while, and then no more", async () => {
    let isSilent = false;
    const real = web.runtime.pool;
    const query = (text: string) => (isSilent ? new Promise(() => {}) : real.query(text));
    const changing = { query } as unknown as pg.Pool;
    const { knownMigrations: known } = web.runtime;
    const remembering = watchWebHealth({ ...options, known, pool: changing, waitMs: 1000, validMs: 60_000 });
    expect((await remembering.look()).notReady).toBeUndefined();
    const forgetful = watchWebHealth({ ...options, known, pool: changing, waitMs: 1000, validMs: 0 });
    expect((await forgetful.look()).notReady).toBeUndefined();
    isSilent = true;
    expect((await remembering.look()).notReady).toBeUndefined();
    expect((await forgetful.look()).notReady).toMatch(/has not answered/);
  });

  it("say nothing against a database that nobody has asked about for long", async () => {
    let isSlow = false;
    const real = web.runtime.pool;
    const query = (text: string) => (isSlow ? new Promise(() => {}) : real.query(text));
    const { knownMigrations: known } = web.runtime;
    const health = watchWebHealth({ ...options, known, pool: { query } as unknown as pg.Pool, waitMs: 1000 });
    expect((await health.look()).notReady).toBeUndefined();
    const now = performance.now.bind(performance);
    const later = vi.spyOn(performance, "now").mockImplementation(() => now() + 600_000);
    isSlow = true;
    expect((await health.look()).notReady).toBeUndefined();
    later.mockRestore();
  });
});
