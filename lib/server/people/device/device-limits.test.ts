import { describe, expect, it } from "vitest";
import { assertMayGuess, countGuess, takeDeviceAsk } from "./device-limits.ts";

const tenMinutesMs = 600_000;
const start = Date.UTC(2026, 10, 20);
const at = (ms: number) => new Date(start + ms);

const limits = [
  {
    name: "an address may ask",
    takeOne: (runtime: object, address: string, now: Date) => takeDeviceAsk({ runtime, address, now }),
  },
  {
    name: "a person may give wrong codes",
    takeOne: (runtime: object, person: string, now: Date) => {
      assertMayGuess({ runtime, person, now });
      countGuess({ runtime, person, now });
    },
  },
];

describe.each(limits)("$name", ({ takeOne }) => {
  it("ten times within ten minutes, each by itself, and each process counts for itself", () => {
    const runtime = {};
    for (let count = 0; count < 10; count += 1) takeOne(runtime, "a", at(count));
    for (const ms of [10, tenMinutesMs - 1])
      expect(() => takeOne(runtime, "a", at(ms))).toThrow(expect.objectContaining({ code: "rate_limited" }));
    takeOne(runtime, "b", at(10));
    takeOne({}, "a", at(10));
    takeOne(runtime, "a", at(tenMinutesMs));
  });
});
