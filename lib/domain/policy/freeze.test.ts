import { Cron } from "croner";
import { describe, expect, it, vi } from "vitest";
import { explainBadStart, type FreezeWindow, findFreezes, listFrozenTimes } from "./freeze.ts";
import { everywhere } from "./rights.ts";

const target = { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout" };
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
  findFreezes({ windows: [{ ...weekend, ...change }], action, target, now: new Date(now) })[0]?.until.toISOString();

/** Implements the straightforward algorithm, for comparison. */
function countThrough({ start, timeZone, durationMinutes }: FreezeWindow, now: Date): Date | undefined {
  const cron = new Cron(start, { timezone: timeZone, paused: true, mode: "5-part" });
  let begun: Date | undefined;
  for (let next = cron.nextRun(new Date(now.getTime() - durationMinutes * 60_000)); next !== null && next <= now; ) {
    begun = next;
    next = cron.nextRun(next);
  }
  return begun === undefined ? undefined : new Date(begun.getTime() + durationMinutes * 60_000);
}

describe("findFreezes", () => {
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
    const [freeze] = findFreezes({ windows, action: advancing, target, now: new Date("2026-11-20T18:00:00Z") });
    expect(freeze).toEqual({ name: "weekend", until: new Date("2026-11-23T07:00:00Z") });
  });

  it("counts from the latest start where starts overlap", () => {
    expect(find("2026-11-20T12:30:00.000Z", { start: "0 * * * *", durationMinutes: 90 })).toBe(
      "2026-11-20T13:30:00.000Z",
    );
  });

  it("begins at 03:00 where spring skips its start", () => {
    const gap = { start: "30 2 * * *", durationMinutes: 60 };
    expect(find("2027-03-28T00:59:59.999Z", gap)).toBeUndefined();
    expect(find("2027-03-28T01:00:00.000Z", gap)).toBe("2027-03-28T02:00:00.000Z");
  });

  it.each(["*/7 * * * *", "30 2 * * *", "15,45 1-3 * * *", "* 1-3 25 10 *"])(
    "finds the latest of the starts %s as counting them through would, over both changes of the clocks",
    (start) => {
      for (const durationMinutes of [5, 61, 200]) {
        const window = { ...weekend, start, durationMinutes };
        for (const night of ["2026-10-24T21:00:00Z", "2027-03-27T21:00:00Z"])
          for (let minutes = 0; minutes < 600; minutes += 41) {
            const now = new Date(Date.parse(night) + minutes * 60_000 + 1);
            const [found] = findFreezes({ windows: [window], action: advancing, target, now });
            expect([now, found?.until]).toEqual([now, countThrough(window, now)]);
          }
      }
    },
  );

  it("asks for few starts of very many, and for none until something changes", () => {
    const window = { ...weekend, start: "* * 20-31 12 *", durationMinutes: 14 * 24 * 60 };
    const next = vi.spyOn(Cron.prototype, "nextRun");
    const ask = (now: string) => {
      next.mockClear();
      const until = findFreezes({ windows: [window], action: advancing, target, now: new Date(now) })[0]?.until;
      return [until?.toISOString(), next.mock.calls.length] as const;
    };
    const [until, calls] = ask("2026-12-31T12:00:10.000Z");
    expect(until).toBe("2027-01-14T12:00:00.000Z");
    expect(calls).toBeLessThan(40);
    expect(ask("2026-12-31T12:00:59.999Z")).toEqual([until, 0]);
    expect(ask("2026-12-31T12:01:00.000Z")[0]).toBe("2027-01-14T12:01:00.000Z");
    expect(ask("2026-12-31T12:00:10.000Z")[0]).toBe(until);
    expect(ask("2027-02-01T00:00:00.000Z")[0]).toBeUndefined();
    expect(ask("2027-12-19T22:59:59.999Z")).toEqual([undefined, 0]);
    expect(ask("2027-12-19T23:00:00.000Z")[0]).toBe("2028-01-02T23:00:00.000Z");
    next.mockRestore();
  });
});

describe("explainBadStart", () => {
  it.each([
    ["0 18 * * 5", "Europe/Berlin", undefined],
    ["61 * * * *", "UTC", "not a cron expression"],
    ["* * *", "UTC", "not a cron expression"],
    ["0 0 0 1 1 *", "UTC", "not a cron expression"],
    ["0 0 30 2 *", "UTC", "never occurs"],
    ["0 18 * * 5", "Nowhere/City", "is not a time zone"],
  ])("%j in %s", (start, timeZone, expected) => {
    const explained = explainBadStart({ start, timeZone });
    if (expected === undefined) expect(explained).toBeUndefined();
    else expect(explained).toContain(expected);
  });
});

describe("listFrozenTimes", () => {
  const nights: FreezeWindow = {
    name: "nights",
    scope: everywhere,
    start: "0 22 * * *",
    timeZone: "UTC",
    durationMinutes: 8 * 60,
    actions: ["*"],
    includeProtective: false,
  };
  const target = { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout" };

  function times(window: Partial<FreezeWindow>, from: string, to: string): string[] {
    return listFrozenTimes({
      windows: [{ ...nights, ...window }],
      action: "continue",
      target,
      fromMs: Date.parse(from),
      toMs: Date.parse(to),
    }).map(({ fromMs, toMs }) => `${new Date(fromMs).toISOString()} ${new Date(toMs).toISOString()}`);
  }

  describe("listFrozenTimes", () => {
    it("lists every night of a release that took two days, cut at its ends", () => {
      expect(times({}, "2026-03-01T23:30:00Z", "2026-03-03T04:00:00Z")).toEqual([
        "2026-03-01T23:30:00.000Z 2026-03-02T06:00:00.000Z",
        "2026-03-02T22:00:00.000Z 2026-03-03T04:00:00.000Z",
      ]);
    });

    it.each([
      { name: "no window of that time", window: {}, from: "2026-03-01T10:00:00Z", to: "2026-03-01T12:00:00Z" },
      {
        name: "a window of other actions",
        window: { actions: ["undo"] },
        from: "2026-03-01T23:00:00Z",
        to: "2026-03-02T01:00:00Z",
      },
      {
        name: "a window of another cluster",
        window: { scope: { ...everywhere, clusters: ["staging"] } },
        from: "2026-03-01T23:00:00Z",
        to: "2026-03-02T01:00:00Z",
      },
    ])("lists nothing: $name", ({ window, from, to }) => {
      expect(times(window, from, to)).toEqual([]);
    });

    it("joins starts that overlap", () => {
      expect(
        times({ start: "*/10 * * * *", durationMinutes: 15 }, "2026-03-01T10:00:00Z", "2026-03-01T12:00:00Z"),
      ).toEqual(["2026-03-01T10:00:00.000Z 2026-03-01T12:00:00.000Z"]);
    });
  });
});
