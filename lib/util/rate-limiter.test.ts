import { expect, it } from "vitest";
import { createAdmission, createRateLimiter } from "./rate-limiter.ts";

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
