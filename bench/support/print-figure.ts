export type Figure = {
  name: string;
  value: number;
  unit: string;
  baseline: number | null;
  ratio: number | null;
  size: string;
  goal: string;
  ok: boolean;
};

/** Prints one figure as one JSON line. */
export function printFigure(figure: Figure): void {
  const round = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(4)));
  const { value, baseline, ratio } = figure;
  const rounded = { ...figure, value: round(value), baseline: round(baseline), ratio: round(ratio) };
  process.stdout.write(`${JSON.stringify(rounded)}\n`);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Computes the p-th percentile by nearest rank. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Returns how long the work takes. */
export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
