import { expect, it } from "vitest";
import type { FindingSeverity } from "#lib/domain/oversight/rule.ts";
import { isQuiet, type QuietHours } from "./quiet-hours.ts";

const night: QuietHours = { start: "22:00", end: "07:00", timeZone: "UTC", exceptSeverity: "critical" };
const lunch: QuietHours = { ...night, start: "12:00", end: "13:00" };
const berlin: QuietHours = { ...night, timeZone: "Europe/Berlin" };

it.each<[name: string, hours: QuietHours, severity: FindingSeverity, now: string, quiet: boolean]>([
  ["before the night", night, "info", "2026-11-23T21:59:59Z", false],
  ["at its start", night, "info", "2026-11-23T22:00:00Z", true],
  ["after midnight", night, "warning", "2026-11-24T00:30:00Z", true],
  ["at midnight", night, "warning", "2026-11-24T00:00:00Z", true],
  ["in its last second", night, "info", "2026-11-24T06:59:59Z", true],
  ["at its end", night, "info", "2026-11-24T07:00:00Z", false],
  ["critical passes", night, "critical", "2026-11-24T00:30:00Z", false],
  ["within a day", lunch, "info", "2026-11-23T12:30:00Z", true],
  ["within a day, before", lunch, "info", "2026-11-23T11:59:00Z", false],
  ["within a day, at its end", lunch, "info", "2026-11-23T13:00:00Z", false],
  ["warnings may pass too", { ...night, exceptSeverity: "warning" }, "warning", "2026-11-24T00:30:00Z", false],
  ["of which info then does not", { ...night, exceptSeverity: "warning" }, "info", "2026-11-24T00:30:00Z", true],
  ["by the wall clock of the zone, in winter", berlin, "info", "2026-11-23T21:00:00Z", true],
  ["by the wall clock of the zone, in winter, before", berlin, "info", "2026-11-23T20:59:00Z", false],
  ["by the wall clock of the zone, in summer", berlin, "info", "2026-07-23T20:00:00Z", true],
  ["by the wall clock of the zone, in summer, before", berlin, "info", "2026-07-23T19:59:00Z", false],
  [
    "in the hour that autumn repeats",
    { ...berlin, start: "02:00", end: "03:00" },
    "info",
    "2026-10-25T01:30:00Z",
    true,
  ],
])("%s", (_, hours, severity, now, quiet) => {
  expect(isQuiet({ hours, severity, now: new Date(now) })).toBe(quiet);
});
