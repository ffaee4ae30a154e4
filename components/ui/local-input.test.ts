import { afterEach, describe, expect, it } from "vitest";
import { fromLocalInput, readLastMonth, toLocalInput } from "#components/ui/local-input.ts";
import { timeZoneChoice } from "#lib/client/time-display.ts";

afterEach(() => timeZoneChoice.set(undefined));

describe("local times", () => {
  it("come back from the URL as they were typed, in any zone", () => {
    const typed = "2026-11-20T15:30";
    const inUrl = fromLocalInput(typed) ?? "";
    expect(inUrl).toMatch(/^2026-11-\d\dT\d\d:\d\d:00\.000Z$/);
    expect(toLocalInput(inUrl)).toBe(typed);
    expect(Date.parse(inUrl)).toBe(new Date(2026, 10, 20, 15, 30).getTime());
  });

  it.each([
    { zone: "UTC", typed: "2026-11-20T15:30", utc: "2026-11-20T15:30:00.000Z" },
    { zone: "Asia/Kolkata", typed: "2026-11-20T15:30", utc: "2026-11-20T10:00:00.000Z" },
    { zone: "America/New_York", typed: "2026-11-20T23:30", utc: "2026-11-21T04:30:00.000Z" },
    { zone: "Europe/Berlin", typed: "2026-07-01T00:00", utc: "2026-06-30T22:00:00.000Z" },
    { zone: "Pacific/Kiritimati", typed: "2026-01-01T00:00", utc: "2025-12-31T10:00:00.000Z" },
  ])("mean the chosen zone: $typed in $zone", ({ zone, typed, utc }) => {
    timeZoneChoice.set(zone);
    expect(fromLocalInput(typed)).toBe(utc);
    expect(toLocalInput(utc)).toBe(typed);
  });

  it.each([
    { name: "an hour that is skipped", typed: "2026-03-29T02:30", utc: "2026-03-29T01:30:00.000Z" },
    { name: "an hour that comes twice", typed: "2026-10-25T02:30", utc: "2026-10-25T00:30:00.000Z" },
    { name: "the hour before the change", typed: "2026-03-29T01:30", utc: "2026-03-29T00:30:00.000Z" },
    { name: "the hour after the change", typed: "2026-10-25T03:30", utc: "2026-10-25T02:30:00.000Z" },
  ])("survive a change of the clocks: $name", ({ typed, utc }) => {
    timeZoneChoice.set("Europe/Berlin");
    expect(fromLocalInput(typed)).toBe(utc);
  });

  it.each(["", "yesterday", "2026-13-40T99:99"])("make nothing of %j", (text) => {
    expect(fromLocalInput(text)).toBeNull();
    expect(toLocalInput(text)).toBe("");
  });
});

it.each([
  { zone: "UTC", now: "2026-11-28T19:00:00Z", from: "2026-10-01T00:00:00.000Z", to: "2026-11-01T00:00:00.000Z" },
  {
    zone: "Europe/Berlin",
    now: "2026-11-05T12:00:00Z",
    from: "2026-09-30T22:00:00.000Z",
    to: "2026-10-31T23:00:00.000Z",
  },
  { zone: "Asia/Tokyo", now: "2025-12-31T16:00:00Z", from: "2025-11-30T15:00:00.000Z", to: "2025-12-31T15:00:00.000Z" },
])("the month before $now begins and ends by the clock of $zone", ({ zone, now, from, to }) => {
  timeZoneChoice.set(zone);
  expect(readLastMonth(Date.parse(now))).toEqual({ from, to });
});
