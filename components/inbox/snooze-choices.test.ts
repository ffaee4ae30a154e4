import { describe, expect, it } from "vitest";
import { listSnoozeChoices, nextMorning, untilOf } from "#components/inbox/snooze-choices.ts";

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();
const limits = { maxHours: 24, untilChange: true };

it.each([
  { name: "in the afternoon", nowMs: at(20, 15), morning: at(21, 9), label: "Until 9:00 tomorrow" },
  { name: "at night", nowMs: at(20, 3), morning: at(20, 9), label: "Until 9:00 today" },
  { name: "a minute before", nowMs: at(20, 8, 59), morning: at(20, 9), label: "Until 9:00 today" },
  { name: "at nine sharp", nowMs: at(20, 9), morning: at(21, 9), label: "Until 9:00 tomorrow" },
  { name: "on the last of the month", nowMs: at(30, 23), morning: at(31, 9), label: "Until 9:00 tomorrow" },
])("the next morning, $name", ({ nowMs, morning, label }) => {
  expect(nextMorning(nowMs).getTime()).toBe(morning);
  expect(listSnoozeChoices(nowMs, limits)[2]).toEqual({ value: "morning", label });
});

it("says why a choice cannot be taken", () => {
  const offered = listSnoozeChoices(at(20, 15), { maxHours: 2, untilChange: false });
  expect(offered.filter(({ obstacle }) => obstacle !== undefined).map(({ value }) => value)).toEqual([
    "morning",
    "change",
  ]);
  expect(listSnoozeChoices(at(20, 15), limits).some(({ obstacle }) => obstacle !== undefined)).toBe(false);
});

describe("until when", () => {
  const nowMs = at(20, 15);
  const iso = (ms: number) => new Date(ms).toISOString();
  it.each([
    { choice: "15min", typed: null, until: iso(at(20, 15, 15)) },
    { choice: "1h", typed: null, until: iso(at(20, 16)) },
    { choice: "morning", typed: null, until: iso(at(21, 9)) },
    { choice: "change", typed: iso(at(20, 17)), until: null },
    { choice: "time", typed: iso(at(20, 17)), until: iso(at(20, 17)) },
    { choice: "time", typed: iso(at(21, 15)), until: iso(at(21, 15)) },
    { choice: "time", typed: iso(at(21, 16)), until: undefined },
    { choice: "time", typed: iso(at(20, 15)), until: undefined },
    { choice: "time", typed: null, until: undefined },
  ] as const)("$choice, typed $typed: $until", ({ choice, typed, until }) => {
    expect(untilOf(choice, { nowMs, typed, maxHours: 24 })).toBe(until);
  });
});
