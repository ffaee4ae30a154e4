const units = ["B", "kB", "MB", "GB", "TB"] as const;

/** Formats bytes with three digits at most and a decimal unit: `8.19 kB`, `512 MB`. */
export function formatBytes(bytes: number): string {
  let [value, unit] = [bytes, 0];
  while (Math.abs(value) >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${Number(value.toPrecision(3))}\u202F${units[unit]}`;
}

/** Formats an estimate: two digits, since it is no count. */
export function formatEstimate(count: number): string {
  if (count === 0) return "0";
  if (count < 1) return "less than 1";
  return Number(count.toPrecision(2)).toLocaleString("en-GB");
}
