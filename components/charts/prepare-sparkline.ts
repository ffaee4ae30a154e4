type Size = { width: number; height: number };

/**
 * Returns paths of consecutive numbers, the position of the last number, the measurements without one, and the heights
 * of the thresholds. The scale includes the thresholds: readers look for how far the values are from them.
 */
export function prepareSparkline(
  values: readonly (number | null)[],
  { width, height }: Size,
  thresholds: readonly number[] = [],
) {
  const edge = 5;
  const numbers = [...values, ...thresholds].filter(
    (value): value is number => value !== null && Number.isFinite(value),
  );
  const low = numbers.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY);
  const high = numbers.reduce((greatest, value) => Math.max(greatest, value), Number.NEGATIVE_INFINITY);
  const span = high - low;
  const x = (index: number) =>
    round(values.length < 2 ? width / 2 : edge + (index / (values.length - 1)) * (width - 2 * edge));
  const y = (value: number) =>
    round(span > 0 ? height - edge - ((value - low) / span) * (height - 2 * edge) : height / 2);

  const paths: string[] = [];
  const holes: number[] = [];
  let path = "";
  let last: { x: number; y: number } | undefined;
  values.forEach((value, index) => {
    if (value === null || !Number.isFinite(value)) {
      holes.push(x(index));
      if (path.includes("L")) paths.push(path);
      path = "";
      return;
    }
    last = { x: x(index), y: y(value) };
    path += `${path === "" ? "M" : "L"}${last.x} ${last.y}`;
  });
  if (path.includes("L")) paths.push(path);
  return { paths, last, holes, lines: thresholds.map(y) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
