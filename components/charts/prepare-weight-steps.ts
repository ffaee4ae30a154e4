import type { Domain } from "#components/charts/chart-scale.ts";

type WeightStep = { atMs: number; weight: number };

/** Returns the weight steps inside the domain; the one in effect at its start begins there. */
export function prepareWeightSteps(
  weights: readonly { at: string; weight: number }[],
  [start, end]: Domain,
): WeightStep[] {
  const sorted = weights
    .map(({ at, weight }) => ({ atMs: Date.parse(at), weight }))
    .sort((one, other) => one.atMs - other.atMs);
  const inForce = sorted.findLast(({ atMs }) => atMs <= start);
  const inside = sorted.filter(({ atMs }) => atMs > start && atMs <= end);
  const steps = inForce === undefined ? inside : [{ atMs: start, weight: inForce.weight }, ...inside];
  return steps.filter(({ weight }, index) => index === 0 || steps[index - 1]?.weight !== weight);
}
