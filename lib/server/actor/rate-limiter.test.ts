import { expect, it } from "vitest";
import { createRateLimiter } from "./rate-limiter.ts";

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
