import { describe, expect, it } from "vitest";
import { explainBadStart, type FreezeWindow, findFreeze } from "./freeze.ts";
import { everywhere } from "./rights.ts";

const target = { cluster: "prod-eu", namespace: "payments", name: "checkout" };
/** From Friday 18:00 in Berlin for 62 hours, to Monday 08:00. */
const weekend: FreezeWindow = {
  name: "weekend",
  scope: everywhere,
  start: "0 18 * * 5",
  timeZone: "Europe/Berlin",
  durationMinutes: 62 * 60,
  actions: ["*"],
  includeProtective: false,
};
const advancing = { name: "continue", protective: false };
const find = (now: string, change: Partial<FreezeWindow> = {}, action = advancing) =>
  findFreeze({ windows: [{ ...weekend, ...change }], action, target, now: new Date(now) })?.until.toISOString();

describe("findFreeze", () => {
  it.each<[string, string, string | undefined]>([
    ["a minute before", "2026-11-20T16:59:59.999Z", undefined],
    ["at the start", "2026-11-20T17:00:00.000Z", "2026-11-23T07:00:00.000Z"],
    ["in the middle", "2026-11-21T12:00:00.000Z", "2026-11-23T07:00:00.000Z"],
    ["just before the end", "2026-11-23T06:59:59.999Z", "2026-11-23T07:00:00.000Z"],
    ["at the end", "2026-11-23T07:00:00.000Z", undefined],
    ["in summer time the start is an hour earlier in UTC", "2026-07-03T16:00:00.000Z", "2026-07-06T06:00:00.000Z"],
    ["the duration is of real hours when clocks go back", "2026-10-23T16:00:00.000Z", "2026-10-26T06:00:00.000Z"],
  ])("%s", (_name, now, until) => {
    expect(find(now)).toBe(until);
  });

  it("holds only what is in scope", () => {
    const during = "2026-11-21T12:00:00.000Z";
    expect(find(during, { scope: { ...everywhere, namespaces: ["shop"] } })).toBeUndefined();
    expect(find(during, { actions: ["promote-*"] })).toBeUndefined();
    expect(find(during, {}, { name: "abort", protective: true })).toBeUndefined();
    expect(find(during, { includeProtective: true }, { name: "abort", protective: true })).toBeDefined();
  });

  it("names the freeze that ends last", () => {
    const windows = [{ ...weekend, name: "short", durationMinutes: 60 * 24 }, weekend];
    const freeze = findFreeze({ windows, action: advancing, target, now: new Date("2026-11-20T18:00:00Z") });
    expect(freeze).toEqual({ name: "weekend", until: new Date("2026-11-23T07:00:00Z") });
  });

  it("counts from the latest start where starts overlap", () => {
    expect(find("2026-11-20T12:30:00.000Z", { start: "0 * * * *", durationMinutes: 90 })).toBe(
      "2026-11-20T13:30:00.000Z",
    );
  });
});

describe("explainBadStart", () => {
  it.each([
    ["0 18 * * 5", "Europe/Berlin", undefined],
    ["61 * * * *", "UTC", "no cron expression"],
    ["* * *", "UTC", "no cron expression"],
    ["0 0 0 1 1 *", "UTC", "no cron expression"],
    ["0 0 30 2 *", "UTC", "never comes"],
    ["0 18 * * 5", "Nowhere/City", "is no time zone"],
  ])("%j in %s", (start, timeZone, expected) => {
    const explained = explainBadStart({ start, timeZone });
    if (expected === undefined) expect(explained).toBeUndefined();
    else expect(explained).toContain(expected);
  });
});
