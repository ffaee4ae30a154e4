import { describe, expect, it } from "vitest";
import { createAdmission, createRateLimiter, putNewest } from "./rate-limiter.ts";

describe("createRateLimiter", () => {
  const at = (seconds: number) => new Date(seconds * 1000);

  it("refuses after the limit until the window ends, per key", () => {
    const limiter = createRateLimiter({ limit: 2, windowSeconds: 60 });
    limiter.recordFailure("a", at(0));
    expect(limiter.retryAfterSeconds("a", at(1))).toBe(undefined);
    limiter.recordFailure("a", at(1));
    expect(limiter.retryAfterSeconds("a", at(10))).toBe(50);
    expect(limiter.retryAfterSeconds("b", at(10))).toBe(undefined);
    expect(limiter.retryAfterSeconds("a", at(60))).toBe(undefined);
  });

  it("forgets failures after a success", () => {
    const limiter = createRateLimiter({ limit: 1, windowSeconds: 60 });
    limiter.recordFailure("a", at(0));
    limiter.reset("a");
    expect(limiter.retryAfterSeconds("a", at(1))).toBe(undefined);
  });

  it("counts an event under all of its keys or under none, and tells one of them what was left out", () => {
    const { admit } = createAdmission({ limits: { byName: 2, overAll: 3 }, windowSeconds: 60, suppressedBy: "byName" });
    const events = ["a", "a", "a", "b", "b", "b"].map((byName) => admit({ byName, overAll: "" }, at(0)));
    expect(events.map(({ admitted }) => admitted)).toEqual([true, true, false, true, false, false]);
    expect(admit({ byName: "b", overAll: "" }, at(60))).toEqual({ admitted: true, suppressed: 2 });
    expect(admit({ byName: "a", overAll: "" }, at(60))).toEqual({ admitted: true, suppressed: 1 });
    expect(admit({ byName: "a", overAll: "" }, at(60))).toEqual({ admitted: true, suppressed: 0 });
  });

  it.each([
    ["2001:db8:1:2::1", "2001:db8:1:2:ffff::7", true],
    ["2001:DB8:1:2:3:4:5:6", "2001:db8:0001:2::", true],
    ["2001:db8::1", "2001:db8:0:0:9::", true],
    ["::1", "::2", true],
    ["fe80::1%eth0", "fe80::2", true],
    ["64:ff9b::192.0.2.1", "64:ff9b::192.0.2.2", true],
    ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
    ["1:2:3::4.5.6.7", "1:2:3:0:9::", true],
    ["192.0.2.1", "192.0.2.2", false],
  ])("counts %s and %s together: %s", (one, other, together) => {
    const limiter = createRateLimiter({ limit: 1, windowSeconds: 60 });
    const now = new Date(0);
    limiter.recordFailure(one, now);
    expect(limiter.retryAfterSeconds(other, now) !== undefined).toBe(together);
  });
});

describe("putNewest", () => {
  const start = () =>
    new Map([
      ["a", 1],
      ["b", 2],
    ]);

  it.each([
    { name: "adds below the limit", key: "c", maxEntries: 3, expected: ["a", "b", "c"] },
    { name: "drops the oldest at the limit", key: "c", maxEntries: 2, expected: ["b", "c"] },
    { name: "makes a known key the newest and drops none", key: "a", maxEntries: 2, expected: ["b", "a"] },
    { name: "drops all that are too many", key: "c", maxEntries: 1, expected: ["c"] },
  ])("$name", ({ key, maxEntries, expected }) => {
    const map = start();
    putNewest(map, { key, value: 9, maxEntries });
    expect([...map.keys()]).toEqual(expected);
    expect(map.get(key)).toBe(9);
  });
});
