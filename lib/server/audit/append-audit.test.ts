import type { Pool } from "pg";
import { afterEach, expect, it, vi } from "vitest";
import { queueOf } from "#lib/server/audit/append-audit.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Creates a pool whose connections all wait until `fail` reports that none are available. */
function startPool() {
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  const pool = { connect: () => promise } as unknown as Pool;
  const append = () =>
    queueOf(pool)
      .append({
        entry: {
          actor: { type: "system", name: "Gatehouse" },
          source: "system",
          code: "config.loaded",
          requestId: "r",
        },
        evidence: undefined,
        within: undefined,
      })
      .then(
        () => "written",
        (error: Error) => error.message,
      );
  return { append, fail: () => reject(new Error("no connection")) };
}

it("refuses those that waited too long, and tells the others what failed", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { append, fail } = startPool();
  const old = [append(), append()];
  vi.advanceTimersByTime(3000);
  const young = append();
  vi.advanceTimersByTime(2001);
  expect(await Promise.all(old)).toEqual(Array.from({ length: 2 }, () => "the audit chain was busy for 5000 ms"));
  fail();
  expect(await young).toBe("no connection");
});

it("refuses at once what more would wait than can be served, and goes on afterwards", async () => {
  const { append, fail } = startPool();
  const waiting = Array.from({ length: 4000 }, append);
  expect(await append()).toBe("4000 entries wait for the audit chain");
  fail();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["no connection"]));
  expect(await append()).toBe("no connection");
});
