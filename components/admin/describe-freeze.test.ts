import { describe, expect, it } from "vitest";
import { describeNow, describeState, listBefore } from "./describe-freeze.ts";
import { listBars } from "./freeze-calendar.tsx";
import { weekOf } from "./prepare-week.ts";

const now = Date.parse("2026-11-23T10:00:00Z");
const today = { from: "2026-11-23T09:00:00Z", to: "2026-11-23T16:00:00Z" };
const tomorrow = { from: "2026-11-24T09:00:00Z", to: "2026-11-24T16:00:00Z" };

describe("describeState", () => {
  it.each([
    { outside: false, now: today, next: null, says: "In force until Mon 23 Nov, 16:00 (in 6 h)." },
    { outside: false, now: null, next: null, says: "Not in force, and will not start again." },
    {
      ...{ outside: true, now: today, next: tomorrow },
      says: "Open until Mon 23 Nov, 16:00 (in 6 h). Next: Tue 24 Nov, 09:00 (in 23 h) to Tue 24 Nov, 16:00.",
    },
    {
      ...{ outside: true, now: null, next: tomorrow },
      says: "Closed. Next: Tue 24 Nov, 09:00 (in 23 h) to Tue 24 Nov, 16:00.",
    },
    { outside: true, now: { ...today, to: null }, next: null, says: "Always open." },
    { outside: true, now: null, next: null, says: "Closed, and will not open again." },
  ])("$says", ({ says, ...freeze }) => {
    expect(describeState({ mode: "enforce", ...freeze }, { now, zone: "UTC" })).toBe(says);
  });

  it("says that an observed freeze is not in force", () => {
    const freeze = { mode: "observe", outside: false, now: today, next: null } as const;
    expect(describeState(freeze, { now, zone: "UTC" })).toBe("Would be in force until Mon 23 Nov, 16:00 (in 6 h).");
  });
});

const scope = { clusters: ["*"], namespaces: ["shop"], rollouts: ["cart"] };
const everywhere = { clusters: ["*"], namespaces: ["*"], rollouts: ["*"] };
const freeze = { name: "weekend", mode: "enforce" as const, scope, outside: false, now: null, next: null };

describe("describeNow", () => {
  const made = { scope: everywhere, startsAt: today.from, endsAt: today.to, inForce: true };
  it.each([
    { freezes: [], says: "Nothing is frozen now. Next change: none." },
    {
      freezes: [{ ...freeze, now: { ...today, to: null } }],
      says: "1 freeze is active now: weekend, in shop/cart of every cluster. Next change: none.",
    },
    {
      freezes: [{ ...freeze, next: tomorrow }],
      says: "Nothing is frozen now. Next change: weekend starts Tue 24 Nov, 09:00 (in 23 h), until Tue 24 Nov, 16:00.",
    },
    {
      freezes: [{ ...freeze, mode: "observe" as const, now: today, next: tomorrow }],
      says: "Nothing is frozen now. Next change: none.",
    },
    {
      freezes: [{ ...freeze, outside: true, next: tomorrow }],
      says: "1 release window is closed: weekend, in shop/cart of every cluster. Next change: weekend opens Tue 24 Nov, 09:00 (in 23 h), until Tue 24 Nov, 16:00.",
    },
    {
      freezes: [{ ...freeze, next: tomorrow }],
      made: [made],
      says: "1 freeze is active now: one-off, everywhere. Next change: the one-off freeze ends Mon 23 Nov, 16:00 (in 6 h).",
    },
    {
      freezes: ["a", "b", "c", "d"].map((name) => ({ ...freeze, name, scope: everywhere, now: today })),
      says: "4 freezes are active now: a, everywhere; b, everywhere; c, everywhere; and 1 more. Next change: a ends Mon 23 Nov, 16:00 (in 6 h).",
    },
  ])("$says", ({ freezes, made: items = [], says }) => {
    expect(describeNow(freezes, items, { now, zone: "UTC" })).toBe(says);
  });

  it("does not deny one-off freezes while they are unknown", () => {
    expect(describeNow([], undefined, { now, zone: "UTC" })).toContain("No freeze of the config is active now.");
  });
});

describe("times before the config had the freeze", () => {
  const week = weekOf("2026-11-23", "UTC");
  const shown = { ...week, zone: "UTC" };
  const before = [{ ...today, why: "not-yet" as const }];

  it("are listed apart from its own", () => {
    expect(listBefore(before, shown)).toEqual(["Not in the config from Mon 23 Nov, 09:00 to Mon 23 Nov, 16:00."]);
    expect(listBefore([{ from: "2026-11-23T00:00:00Z", to: today.to, why: "unknown" }], shown)).toEqual([
      "Not recorded before Mon 23 Nov, 16:00.",
    ]);
    const unknown = [today, tomorrow].map((time) => ({ ...time, why: "unknown" as const }));
    expect(listBefore([...before, ...unknown], shown)).toEqual([
      "Not in the config from Mon 23 Nov, 09:00 to Mon 23 Nov, 16:00.",
      "Not recorded at 2 times in this week.",
    ]);
  });

  it("are drawn apart from its own, and say why", () => {
    const times = [{ from: "2026-11-26T12:00:00Z", to: "2026-11-30T00:00:00Z", mode: "enforce" as const }];
    const unknown = [{ from: "2026-11-23T00:00:00Z", to: "2026-11-26T12:00:00Z", why: "unknown" as const }];
    const bars = listBars({ times, before: unknown, outside: false, includeProtective: false }, { week, zone: "UTC" });
    expect(bars).toEqual([
      { part: { from: 0, to: 0.5 }, words: "Not recorded before Thu 26 Nov, 12:00.", "data-before": true },
      { part: { from: 0.5, to: 1 }, words: "frozen" },
    ]);
  });

  it("are observed, or not, as they were then", () => {
    const times = [{ ...today, mode: "observe" as const }];
    const bars = listBars({ times, before: [], outside: true, includeProtective: true }, { week, zone: "UTC" });
    expect(bars).toMatchObject([{ words: "open (observed)", "data-observed": true, "data-open": true }]);
  });
});
