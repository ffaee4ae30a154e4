import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { gateNames } from "#lib/domain/delivery/gate-decision.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import type { HookOutcome } from "#test/flagger-client.ts";
import { type HookWorld, type LiveCanary, startHookWorld } from "#test/hook-world.ts";
import { startTcpProxy, type TcpProxy } from "#test/tcp-proxy.ts";
import { createTestPool } from "#test/test-pool.ts";

let database: TestDatabase;
let proxy: TcpProxy;
let world: HookWorld;
let canary: LiveCanary;

beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startTcpProxy({ port: Number(new URL(database.webUrl).port) });
  world = await startHookWorld({ database, databaseUrl: proxy.throughProxy(database.webUrl) });
  canary = await world.addCanary();
  for (const gate of gateNames) await world.decide(canary, { gate });
});
beforeEach(async () => {
  await expect.poll(() => ask("rollback")).toBe("200");
});
afterAll(async () => {
  proxy.resume();
  await world.close();
  await proxy.close();
  await database.drop();
});

const metadata = { eventMessage: "m", eventType: "Normal", timestamp: String(Date.now()) };
const reported = ({ status, error, passes }: HookOutcome) =>
  passes ? `${status}` : `${status} ${(JSON.parse(error) as { reason: string }).reason}`;
const ask = async (type: string) => reported(await world.call(canary, { type, payload: { metadata } }));

describe("without the database", () => {
  it("every gate and the event hook refuse, and hooks that only report passes", async () => {
    await proxy.shut();
    try {
      for (const type of [...gateNames, "event"]) expect(await ask(type)).toBe("403 store_unavailable");
      for (const type of ["pre-rollout", "rollout", "post-rollout"]) expect(await ask(type)).toBe("200");
    } finally {
      await proxy.open();
    }
    await expect.poll(() => ask("event")).toBe("202");
  });

  it("that does not answer, every gate refuses within a second", async () => {
    proxy.silence();
    try {
      const startedAt = performance.now();
      const reported = await Promise.all([...gateNames, "event"].map(ask));
      expect(performance.now() - startedAt).toBeLessThan(1000);
      for (const answer of reported) expect(answer).toMatch(/^403 (timeout|store_unavailable)$/);
    } finally {
      proxy.resume();
    }
  });

  it("that answers slowly, every gate refuses within a second", async () => {
    const locker = createTestPool(database.ownerUrl, 1);
    await locker.query("BEGIN");
    await locker.query("LOCK TABLE gate_decision IN ACCESS EXCLUSIVE MODE");
    try {
      const startedAt = performance.now();
      const answers = await Promise.all(gateNames.map(ask));
      expect(performance.now() - startedAt).toBeLessThan(1000);
      for (const answer of answers) expect(answer).toMatch(/^403 (timeout|store_unavailable)$/);
    } finally {
      await locker.end();
    }
  });

  it("of our schema, every gate refuses", async () => {
    await world.query("ALTER TABLE gate_decision RENAME TO gone");
    try {
      for (const gate of gateNames) expect(await ask(gate)).toBe("403 store_unavailable");
    } finally {
      await world.query("ALTER TABLE gone RENAME TO gate_decision");
    }
  });

  it("that cannot write, gates go on and events are refused", async () => {
    await world.query("REVOKE INSERT ON controller_message, hook_call FROM gatehouse_web");
    try {
      expect(await ask("rollback")).toBe("200");
      expect(await ask("event")).toBe("403 store_unavailable");
      await world.flush();
      expect(await ask("rollback")).toBe("200");
    } finally {
      await world.query("GRANT INSERT ON controller_message, hook_call TO gatehouse_web");
    }
  });
});
