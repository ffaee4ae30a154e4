import { expect, it } from "vitest";
import { rankMetrics, scaleOf } from "#components/sets/multiples.tsx";
import type { SetMetrics } from "#lib/contract/version-set.ts";

type Item = SetMetrics["items"][number];
const rollout = { cluster: "prod-eu", namespace: "payments", kind: "Rollout", name: "checkout" } as const;

function itemOf(...names: string[]): Item {
  return { rollout, standing: "waiting", metrics: names.map((metric) => ({ metric }) as Item["metrics"][number]) };
}

it("puts the metrics first that most rollouts have", () => {
  expect(rankMetrics([itemOf("a", "b"), itemOf("b", "c"), itemOf("c", "b")])).toEqual(["b", "c", "a"]);
  expect(rankMetrics([])).toEqual([]);
});

it("scales by all values and limits, and by nothing that is no number", () => {
  const limit = { condition: "success", value: 95, inclusive: true, region: "above" } as const;
  expect(
    scaleOf([
      { values: [1, null, Number.NaN], thresholds: [limit] },
      { values: [-2], thresholds: [] },
    ]),
  ).toEqual([-2, 95]);
  expect(scaleOf([{ values: [null], thresholds: [] }])).toEqual([]);
});
