import { expect, it } from "vitest";
import { computeClockSkew } from "./open-session.ts";

const now = Date.parse("2026-11-20T12:00:00Z");

it.each([
  ["2026-11-20T12:05:00Z", 300_500],
  ["2026-11-20T10:00:00Z", -7_199_500],
  // PostgreSQL cannot store larger ones.
  ["1970-01-01T00:00:00Z", -2_147_483_647],
  ["2099-01-01T00:00:00Z", 2_147_483_647],
])("tells how far the clock of %s is ahead", (date, skewMs) => {
  expect(computeClockSkew(new Date(date), now)).toBe(skewMs);
});
