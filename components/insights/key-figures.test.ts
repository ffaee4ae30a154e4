import { expect, it } from "vitest";
import { preparePromotions } from "#components/insights/key-figures.tsx";
import type { ReleaseInsights } from "#lib/contract/insight.ts";

const days = (...promotions: number[]) =>
  promotions.map((promoted) => ({ promoted, aborted: 1 }) as ReleaseInsights["days"][number]);

it("has every day, those without a promotion as zero", () => {
  expect(preparePromotions(days(2, 0, 0, 0, 3, 1, 0))).toEqual([2, 0, 0, 0, 3, 1, 0]);
});

it.each([
  { name: "of two days", promotions: [2, 1] },
  { name: "without a promotion", promotions: [0, 0, 0, 0] },
])("shows no trend $name", ({ promotions }) => {
  expect(preparePromotions(days(...promotions))).toEqual([]);
});
