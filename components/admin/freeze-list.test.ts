import { describe, expect, it } from "vitest";
import { describeEndless, describeTime, listTimes } from "./freeze-calendar.tsx";
import { describeState, listBefore } from "./freeze-list.tsx";

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

describe("times before the config had the freeze", () => {
  const before = [{ ...today, why: "not-yet" as const }];

  it("are listed apart from its own", () => {
    expect(listBefore(before, "UTC")).toEqual(["Not in force yet from Mon 23 Nov, 09:00 to Mon 23 Nov, 16:00."]);
    const unknown = [today, tomorrow].map((time) => ({ ...time, why: "unknown" as const }));
    expect(listBefore([...before, ...unknown], "UTC")).toEqual([
      "Not in force yet from Mon 23 Nov, 09:00 to Mon 23 Nov, 16:00.",
      "Not known at 2 times in this week.",
    ]);
  });

  it("are drawn beside its own, and say why", () => {
    const mode = "enforce" as const;
    const times = listTimes({ path: "policies.freezes[0]", times: [{ ...tomorrow, mode }], before });
    expect(times.map(({ why }) => why)).toEqual([undefined, "not-yet"]);
    const scope = { clusters: ["*"], namespaces: ["shop"], rollouts: ["cart"] };
    const freeze = { scope, outside: false, mode, now: { ...today, to: null } };
    expect(times.map((time) => describeTime(freeze, time))).toEqual([
      "always frozen in shop/cart of every cluster",
      "not in force yet",
    ]);
    expect(describeTime({ ...freeze, outside: true, now: null }, {})).toBe("open in shop/cart of every cluster");
  });

  it("are explained on the one bar of a freeze without an end", () => {
    const scope = { clusters: ["*"], namespaces: ["shop"], rollouts: ["cart"] };
    const freeze = { scope, outside: false, mode: "enforce" as const, now: { ...today, to: null } };
    expect(describeEndless(freeze, [{}, { why: "unknown" }, { why: "unknown" }])).toBe(
      "always frozen in shop/cart of every cluster · hatched: not known for this time",
    );
    expect(describeEndless(freeze, [{}])).toBe("always frozen in shop/cart of every cluster");
  });

  it("are observed, or not, as they were then", () => {
    const scope = { clusters: ["*"], namespaces: ["shop"], rollouts: ["*"] };
    const words = (mode: "enforce" | "observe", then: "enforce" | "observe") =>
      describeTime({ scope, outside: false, mode, now: null }, { mode: then });
    expect(words("observe", "enforce")).not.toContain("(observed)");
    expect(words("enforce", "observe")).toContain("(observed)");
  });
});
