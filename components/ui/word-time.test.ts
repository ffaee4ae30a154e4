import { afterEach, expect, it } from "vitest";
import { wordTime } from "#components/ui/word-time.ts";
import { timeZoneChoice } from "#lib/client/time-display.ts";

const nowMs = Date.parse("2026-11-23T12:00:00.000Z");

afterEach(() => timeZoneChoice.set(undefined));

it.each([
  { at: "2026-11-23T11:46:00Z", form: "ago", shows: "ago", text: "14 min ago" },
  { at: "2026-11-23T11:46:00Z", form: "for", shows: "ago", text: "for 14 min" },
  { at: "2026-11-23T11:46:00Z", form: "since", shows: "ago", text: "14 min" },
  { at: "2026-11-23T11:46:01.250Z", form: "ago", shows: "clock", text: "11:46:01" },
  { at: "2026-11-23T11:46:00Z", form: "for", shows: "clock", text: "since 11:46:00" },
  { at: "2026-11-22T11:46:00Z", form: "since", shows: "clock", text: "22 Nov, 11:46:00" },
  { at: "2025-11-23T11:46:00Z", form: "ago", shows: "clock", text: "23 Nov 2025, 11:46" },
  { at: "not a time", form: "ago", shows: "ago", text: "not a time" },
] as const)("writes $at as $text ($form, $shows)", ({ at, form, shows, text }) => {
  timeZoneChoice.set("UTC");
  expect(wordTime(at, { nowMs, form, shows })).toBe(text);
});

it.each([
  { at: "2026-11-23T11:46:00Z", text: "14 min ago" },
  { at: "2026-11-22T12:30:00Z", text: "23 h ago" },
  { at: "2026-11-02T03:02:41Z", text: "02 Nov, 03:02" },
  { at: "2025-11-02T03:02:41Z", text: "02 Nov 2025" },
])("shows the day of $at once an age says too little: $text", ({ at, text }) => {
  timeZoneChoice.set("UTC");
  expect(wordTime(at, { nowMs, form: "ago", shows: "ago", isDated: true })).toBe(text);
});

it("is by the chosen zone, the day too", () => {
  timeZoneChoice.set("Asia/Tokyo");
  expect(wordTime("2026-11-22T15:30:00Z", { nowMs, form: "ago", shows: "clock" })).toBe("00:30:00");
});

it("is exact before the server's clock is known", () => {
  timeZoneChoice.set("UTC");
  expect(wordTime("2026-11-23T11:46:00Z", { nowMs: 0, form: "ago", shows: "ago" })).toBe("23 Nov 2026, 11:46:00 UTC");
});
