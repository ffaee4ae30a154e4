import { expect, it } from "vitest";
import { prepareWeightSteps } from "#components/charts/prepare-weight-steps.ts";

const at = (atMs: number, weight: number) => ({ at: new Date(atMs).toISOString(), weight });

it.each([
  { name: "nothing", weights: [], steps: [] },
  { name: "what was in effect before", weights: [at(0, 10), at(500, 20)], steps: [[1_000, 20]] },
  {
    name: "changes inside, in order",
    weights: [at(3_000, 40), at(2_000, 0)],
    steps: [
      [2_000, 0],
      [3_000, 40],
    ],
  },
  { name: "no change to the same", weights: [at(2_000, 5), at(2_500, 5)], steps: [[2_000, 5]] },
  { name: "nothing after the end", weights: [at(9_000, 5)], steps: [] },
])("has $name", ({ weights, steps }) => {
  const prepared = prepareWeightSteps(weights, [1_000, 4_000]);
  expect(prepared.map(({ atMs, weight }) => [atMs, weight])).toEqual(steps);
});
