import { describe, expect, it } from "vitest";
import type { FreezeWindow } from "./freeze.ts";
import { listFrozenTimes } from "./list-frozen-times.ts";
import { everywhere } from "./rights.ts";

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
