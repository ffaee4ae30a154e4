import { describe, expect, it } from "vitest";
import { isDay, mondayOf, placeInWeek, startOfDay, wallClock, weekOf } from "./prepare-week.ts";

const berlin = "Europe/Berlin";

describe("startOfDay", () => {
  it.each([
    { day: "2026-11-21", zone: "UTC", is: "2026-11-21T00:00:00Z" },
    { day: "2026-11-21", zone: berlin, is: "2026-11-20T23:00:00Z" },
    { day: "2026-03-29", zone: berlin, is: "2026-03-28T23:00:00Z" },
    { day: "2026-03-30", zone: berlin, is: "2026-03-29T22:00:00Z" },
    { day: "2026-11-21", zone: "Pacific/Kiritimati", is: "2026-11-20T10:00:00Z" },
    { day: "2026-11-21", zone: "America/Los_Angeles", is: "2026-11-21T08:00:00Z" },
    { day: "2026-11-21", zone: "Asia/Kathmandu", is: "2026-11-20T18:15:00Z" },
    // Its clocks go forward at midnight: the day begins at one.
    { day: "2026-03-28", zone: "Asia/Beirut", is: "2026-03-27T22:00:00Z" },
    { day: "2026-03-29", zone: "Asia/Beirut", is: "2026-03-28T22:00:00Z" },
  ])("$day in $zone", ({ day, zone, is }) => {
    expect(new Date(startOfDay(day, zone)).toISOString().replace(".000", "")).toBe(is);
  });
});

it("knows Mondays, and days that exist", () => {
  expect(["2026-11-16", "2026-11-22", "2026-11-23"].map(mondayOf)).toEqual(["2026-11-16", "2026-11-16", "2026-11-23"]);
  expect(["2026-02-28", "2026-02-30", "x", "2026-2-1", ""].map(isDay)).toEqual([true, false, false, false, false]);
});

it.each([
  { from: "2026-11-01", to: "2026-12-01", part: { from: 0, to: 1 } },
  { from: "2026-11-19T12:00:00Z", to: "2026-12-01", part: { from: 0.5, to: 1 } },
  { from: "2026-11-23", to: "2026-12-01", part: undefined },
])("places $from to $to in a week", ({ from, to, part }) => {
  const time = { fromMs: Date.parse(from), toMs: Date.parse(to) };
  expect(placeInWeek(time, weekOf("2026-11-16", "UTC"))).toEqual(part);
});

it("shows the clock of the zone after it changed", () => {
  expect(wallClock(Date.parse("2026-03-29T01:00:00Z"), berlin)).toEqual({ day: "2026-03-29", minute: 180 });
});
