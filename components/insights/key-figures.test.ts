import { expect, it } from "vitest";
import { prepareTrend } from "#components/insights/key-figures.tsx";
import type { ReleaseInsights } from "#lib/contract/insight.ts";

const day = (promoted: number, aborted: number) => ({ promoted, aborted }) as ReleaseInsights["days"][number];
const failures = ({ promoted, aborted }: ReleaseInsights["days"][number]) => aborted / (promoted + aborted);

it("leaves out days without a release that ended", () => {
  expect(prepareTrend([day(1, 1), day(0, 0), day(3, 1), day(2, 0)], failures)).toEqual([0.5, 0.25, 0]);
});

it("shows no trend of two days", () => {
  expect(prepareTrend([day(1, 1), day(0, 0), day(3, 1)], failures)).toEqual([]);
});
