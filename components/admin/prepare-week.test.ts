import { describe, expect, it } from "vitest";
import { isDay, mondayOf, placeInWeek, prepareSegments, startOfDay, wallClock, weekOf } from "./prepare-week.ts";

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

describe("prepareSegments", () => {
  const cut = (monday: string, zone: string, ...times: [string, string, string][]) =>
    prepareSegments(
      times.map(([id, from, to]) => ({ id, fromMs: Date.parse(from), toMs: Date.parse(to) })),
      weekOf(monday, zone),
      zone,
    ).map(({ id, day, fromMinute, toMinute, lane, lanes }) => [
      id,
      day,
      fromMinute / 60,
      toMinute / 60,
      `${lane}/${lanes}`,
    ]);

  it("cuts a weekend into its days, and leaves out what is in another week", () => {
    expect(cut("2026-11-16", "UTC", ["w", "2026-11-20T18:00:00Z", "2026-11-23T08:00:00Z"])).toEqual([
      ["w", "2026-11-20", 18, 24, "0/1"],
      ["w", "2026-11-21", 0, 24, "0/1"],
      ["w", "2026-11-22", 0, 24, "0/1"],
    ]);
    expect(cut("2026-11-23", "UTC", ["w", "2026-11-20T18:00:00Z", "2026-11-23T08:00:00Z"])).toEqual([
      ["w", "2026-11-23", 0, 8, "0/1"],
    ]);
  });

  it("puts what overlaps beside each other, and takes a lane again once it is free", () => {
    const on = (from: string, to: string): [string, string] => [`2026-11-16T${from}:00Z`, `2026-11-16T${to}:00Z`];
    expect(
      cut(
        "2026-11-16",
        "UTC",
        ["a", ...on("01:00", "05:00")],
        ["b", ...on("02:00", "03:00")],
        ["c", ...on("03:00", "04:00")],
      ),
    ).toEqual([
      ["a", "2026-11-16", 1, 5, "0/2"],
      ["b", "2026-11-16", 2, 3, "1/2"],
      ["c", "2026-11-16", 3, 4, "1/2"],
    ]);
  });

  it("shows the clock of the zone, on days on which it changes too", () => {
    // Two o'clock becomes three; the freeze lasts two hours.
    expect(cut("2026-03-23", berlin, ["w", "2026-03-29T00:30:00Z", "2026-03-29T02:30:00Z"])).toEqual([
      ["w", "2026-03-29", 1.5, 4.5, "0/1"],
    ]);
    expect(wallClock(Date.parse("2026-03-29T01:00:00Z"), berlin)).toEqual({ day: "2026-03-29", minute: 180 });
  });
});
