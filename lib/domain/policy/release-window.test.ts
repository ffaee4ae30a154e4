import { Cron } from "croner";
import { describe, expect, it, vi } from "vitest";
import { findNeeds } from "./decide.ts";
import { type FreezeRule, type FreezeWindow, findFreezes, listFrozenTimes, never } from "./freeze.ts";
import { everywhere } from "./rights.ts";

const target = { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout" };
/** Monday to Thursday, 9 to 16 in Berlin. */
const weekdays: FreezeWindow = {
  name: "weekdays",
  scope: everywhere,
  start: "0 9 * * 1-4",
  timeZone: "Europe/Berlin",
  durationMinutes: 7 * 60,
  actions: ["*"],
  includeProtective: false,
  outside: true,
};
/** Friday, 9 to 12. */
const fridays: FreezeWindow = { ...weekdays, name: "fridays", start: "0 9 * * 5", durationMinutes: 3 * 60 };
const elsewhere: FreezeWindow = { ...weekdays, name: "shop", scope: { ...everywhere, namespaces: ["shop"] } };
const advancing = { name: "continue", protective: false };
const abort = { name: "abort", protective: true };

/** Returns the names of what blocks, and until when; undefined if nothing does. */
function block(now: string, windows: readonly FreezeRule[], action = advancing): string | undefined {
  const found = findFreezes({ windows, action, target, now: new Date(now) });
  return found.length === 0 ? undefined : found.map(({ name, until }) => `${name} ${until.toISOString()}`).join("; ");
}

describe("a release window", () => {
  it.each<[string, string, string | undefined]>([
    ["just before it opens", "2026-11-23T07:59:59.999Z", "weekdays 2026-11-23T08:00:00.000Z"],
    ["at its start", "2026-11-23T08:00:00.000Z", undefined],
    ["just before its end", "2026-11-23T14:59:59.999Z", undefined],
    ["at its end", "2026-11-23T15:00:00.000Z", "weekdays 2026-11-24T08:00:00.000Z"],
    ["on a day without one", "2026-11-27T10:00:00.000Z", "weekdays 2026-11-30T08:00:00.000Z"],
    ["in summer time it opens an hour earlier in UTC", "2026-07-06T07:00:00.000Z", undefined],
    ["and closes earlier", "2026-07-06T14:00:00.000Z", "weekdays 2026-07-07T07:00:00.000Z"],
  ])("%s", (_name, now, blocked) => {
    expect(block(now, [weekdays])).toBe(blocked);
  });

  it.each<[string, string, string | undefined]>([
    ["spring: closed before the skipped hour", "2027-03-28T00:59:59.999Z", "night 2027-03-28T01:00:00.000Z"],
    ["spring: opens where the skipped hour ends", "2027-03-28T01:00:00.000Z", undefined],
    ["spring: lasts its real hours", "2027-03-28T04:00:00.000Z", "night 2027-03-29T00:30:00.000Z"],
    ["autumn: opens at the first of two", "2026-10-25T00:30:00.000Z", undefined],
    ["autumn: lasts its real hours", "2026-10-25T03:30:00.000Z", "night 2026-10-26T01:30:00.000Z"],
  ])("over a change of the clocks, %s", (_name, now, blocked) => {
    expect(block(now, [{ ...weekdays, name: "night", start: "30 2 * * *", durationMinutes: 180 }])).toBe(blocked);
  });

  it("is open to the end of its latest start where starts overlap", () => {
    const overlapping = { ...weekdays, start: "0 9-11 * * *", timeZone: "UTC", durationMinutes: 90 };
    expect(block("2026-11-23T12:29:59.999Z", [overlapping])).toBeUndefined();
    expect(block("2026-11-23T12:30:00.000Z", [overlapping])).toBe("weekdays 2026-11-24T09:00:00.000Z");
  });

  it("restricts nothing if there is none, or only ones for other rollouts and actions", () => {
    const now = "2026-11-22T12:00:00.000Z";
    expect(block(now, [])).toBeUndefined();
    expect(block(now, [elsewhere, { ...weekdays, actions: ["undo"] }])).toBeUndefined();
  });

  it("lets an action through while one of those that apply is open, and else names all", () => {
    expect(block("2026-11-23T12:00:00.000Z", [weekdays, fridays])).toBeUndefined();
    expect(block("2026-11-27T09:00:00.000Z", [weekdays, fridays])).toBeUndefined();
    expect(block("2026-11-26T20:00:00.000Z", [weekdays, elsewhere, fridays])).toBe(
      "weekdays 2026-11-27T08:00:00.000Z; fridays 2026-11-27T08:00:00.000Z",
    );
    // Open for others only.
    expect(block("2026-11-23T12:00:00.000Z", [elsewhere, fridays])).toBe("fridays 2026-11-27T08:00:00.000Z");
  });

  it("lets protective actions through, unless the windows that include them are closed", () => {
    const all = { ...fridays, includeProtective: true };
    const monday = "2026-11-23T12:00:00.000Z";
    expect(block("2026-11-22T12:00:00.000Z", [weekdays], abort)).toBeUndefined();
    expect(block(monday, [all], abort)).toBe("fridays 2026-11-27T08:00:00.000Z");
    // The open window says nothing about abort.
    expect(block(monday, [weekdays, all], abort)).toBe("fridays 2026-11-27T08:00:00.000Z");
    expect(block(monday, [weekdays, all])).toBeUndefined();
  });

  it("does not lift a freeze", () => {
    const freeze = { ...weekdays, name: "incident", outside: false };
    const period = { ...weekdays, id: "1", name: "ada: outage" };
    const { start: _start, timeZone: _zone, durationMinutes: _minutes, outside: _outside, ...made } = period;
    const now = "2026-11-23T12:00:00.000Z";
    expect(block(now, [weekdays, freeze])).toBe("incident 2026-11-23T15:00:00.000Z");
    const until = new Date("2026-11-23T13:00:00.000Z");
    expect(block(now, [weekdays, { ...made, from: new Date(0), until }])).toBe("ada: outage 2026-11-23T13:00:00.000Z");
  });

  it("is named with the next opening, beside the freezes that block too", () => {
    const find = (now: string, freezes: readonly FreezeRule[]) => {
      const policies = { reasons: [], freezes, secondPerson: [] };
      const action = { ...advancing, reasonRequired: true };
      return findNeeds({ rights: { grants: [], cap: "admin" }, policies, action, target, now: new Date(now) }).freeze;
    };
    const closed = "Outside the release windows: weekdays, fridays. The next one opens 2026-11-23T08:00:00.000Z.";
    expect(find("2026-11-21T12:00:00Z", [weekdays, fridays])).toEqual({
      ...{ name: "weekdays, fridays", ids: [], until: "2026-11-23T08:00:00.000Z", because: closed },
    });
    const freeze = { ...weekdays, name: "weekend", start: "0 0 * * 6", durationMinutes: 60 * 24, outside: false };
    expect(find("2026-11-21T12:00:00Z", [freeze, weekdays, fridays])).toMatchObject({
      name: "weekdays, fridays, weekend",
      because: `Frozen by "weekend" until 2026-11-21T23:00:00.000Z. ${closed}`,
    });
    expect(find("2026-11-23T12:00:00Z", [weekdays, fridays])).toBeNull();
    const unopened = { ...weekdays, start: "0 0 30 2 *" };
    expect(find("2026-11-23T12:00:00Z", [unopened])?.because).toBe(
      "Outside the release windows: weekdays. None of them opens again.",
    );
  });

  it("blocks for ever if it never opens", () => {
    expect(block("2026-11-23T12:00:00.000Z", [{ ...weekdays, start: "0 0 30 2 *" }])).toBe(
      `weekdays ${never.toISOString()}`,
    );
  });

  it("asks for no start until the window opens or closes", () => {
    const next = vi.spyOn(Cron.prototype, "nextRun");
    const ask = (now: string): [string | undefined, boolean] => {
      next.mockClear();
      return [block(now, [weekdays]), next.mock.calls.length === 0];
    };
    const closed = "weekdays 2026-11-24T08:00:00.000Z";
    expect(ask("2026-11-23T16:00:00.000Z")).toEqual([closed, false]);
    expect(ask("2026-11-24T07:59:59.999Z")).toEqual([closed, true]);
    expect(ask("2026-11-24T08:00:00.000Z")).toEqual([undefined, false]);
    expect(ask("2026-11-24T14:59:59.999Z")).toEqual([undefined, true]);
    expect(ask("2026-11-24T15:00:00.000Z")).toEqual(["weekdays 2026-11-25T08:00:00.000Z", false]);
    next.mockRestore();
  });
});

describe("listFrozenTimes", () => {
  const list = (windows: readonly FreezeRule[], from: string, to: string) =>
    listFrozenTimes({ windows, action: "continue", target, fromMs: Date.parse(from), toMs: Date.parse(to) }).map(
      ({ name, fromMs, toMs }) => `${name} ${new Date(fromMs).toISOString()} ${new Date(toMs).toISOString()}`,
    );

  it("lists the times between those of all release windows that apply", () => {
    expect(list([weekdays, fridays, elsewhere], "2026-11-26T12:00:00Z", "2026-11-28T00:00:00Z")).toEqual([
      "weekdays, fridays 2026-11-26T15:00:00.000Z 2026-11-27T08:00:00.000Z",
      "weekdays, fridays 2026-11-27T11:00:00.000Z 2026-11-28T00:00:00.000Z",
    ]);
    expect(list([elsewhere], "2026-11-26T12:00:00Z", "2026-11-28T00:00:00Z")).toEqual([]);
  });

  it("does not list times after the last change that it looks at", () => {
    const minutes = { ...weekdays, start: "* * * * *", durationMinutes: 1 };
    expect(list([minutes], "2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z")).toEqual([]);
  });
});
