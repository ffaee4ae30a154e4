import { expect, it } from "vitest";
import { endOf, splitPatterns } from "#components/actions/end-choices.ts";

const nowMs = Date.parse("2026-03-01T10:00:00Z");
const at = (typed: string | null) => endOf("time", { nowMs, typed, maxDays: 31 });

it("ends after the chosen time", () => {
  expect(endOf("1h", { nowMs, typed: null, maxDays: 31 })).toBe("2026-03-01T11:00:00.000Z");
  expect(endOf("4h", { nowMs, typed: null, maxDays: 31 })).toBe("2026-03-01T14:00:00.000Z");
  const morning = new Date(endOf("morning", { nowMs, typed: null, maxDays: 31 }) ?? "");
  expect([morning.getHours(), morning.getMinutes()]).toEqual([9, 0]);
  expect(morning.getTime()).toBeGreaterThan(nowMs);
});

it("takes a typed time within the bounds only", () => {
  expect(at("2026-03-02T08:00:00Z")).toBe("2026-03-02T08:00:00.000Z");
  for (const typed of [null, "", "2026-03-01T10:00:00Z", "2026-04-02T10:00:00Z"]) expect(at(typed)).toBeUndefined();
});

it("reads patterns, and an empty line as everything", () => {
  expect(splitPatterns("pay*, shop  search")).toEqual(["pay*", "shop", "search"]);
  expect(splitPatterns(" ")).toEqual(["*"]);
});
