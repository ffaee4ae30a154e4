import { describe, expect, it } from "vitest";
import { formatAt, parseAt } from "./parse-at.ts";

/** In the zone of this machine, whichever it is. */
const now = new Date(2027, 0, 4, 9, 30);

describe("--at", () => {
  it.each([
    ["10:00", new Date(2027, 0, 4, 10, 0)],
    ["09:00", new Date(2027, 0, 5, 9, 0)],
    ["9:30", new Date(2027, 0, 5, 9, 30)],
    ["2027-01-06T09:00:00+02:00", new Date("2027-01-06T07:00:00Z")],
    ["2027-01-06T09:00Z", new Date("2027-01-06T09:00:00Z")],
  ])("takes %s", (text, at) => {
    expect(parseAt(text, now)).toEqual(at);
  });

  it.each(["24:00", "9", "tomorrow", "2027-01-06T09:00:00", "2027-13-06T09:00:00Z", "2027-01-06"])(
    "does not guess %s",
    (text) => {
      expect(() => parseAt(text, now)).toThrow("--at takes HH:MM");
    },
  );

  it("is shown with its zone", () => {
    expect(formatAt(parseAt("09:00", now))).toMatch(/^Tue 5 Jan 2027, 09:00 \S+$/);
  });
});
