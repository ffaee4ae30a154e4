import { expect, it } from "vitest";
import { findPrevious, moveToStart } from "#components/releases/previous-lane.tsx";

const release = (startedAt: string, kind: "Rollout" | "Canary" = "Rollout") => ({ startedAt, rollout: { kind } });

it("finds the release that began last before this one, of the same kind", () => {
  const [first, second] = [release("2026-03-01T09:00:00Z"), release("2026-03-02T09:00:00Z")];
  const [own, later] = [release("2026-03-03T09:00:00Z"), release("2026-03-04T09:00:00Z")];
  const canary = release("2026-03-02T12:00:00Z", "Canary");
  expect(findPrevious([later, own, canary, second, first], own)).toBe(second);
  expect(findPrevious([later, own, second, first], first)).toBeUndefined();
});

it("moves blocks to the start of this release, and cuts what lasted longer than it", () => {
  const block = (fromMs: number, toMs: number) => ({
    key: `${fromMs}`,
    fromMs,
    toMs,
    text: "",
    activity: "progressing" as const,
  });
  const other = { fromMs: 1000, blocks: [block(1000, 1400), block(1400, 2500), block(2500, 2600)] };
  expect(moveToStart(other, { fromMs: 5000, toMs: 6000 }).map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
    [5000, 5400],
    [5400, 6000],
  ]);
});
