export type Domain = readonly [number, number];

/** A line more than this many data ranges away would flatten the data; its label is put at the edge instead. */
const farAway = 100;

/**
 * Computes the value axis: all values, and the thresholds that fit on it. A constant series gets margin, so that its
 * line is in the middle and not on an edge.
 */
export function computeValueDomain(values: readonly number[], thresholds: readonly number[]): Domain {
  const finite = values.filter(Number.isFinite);
  const anchors = finite.length > 0 ? finite : thresholds;
  if (anchors.length === 0) return [0, 1];
  const low = minimum(anchors);
  const high = maximum(anchors);
  const range = high - low || Math.abs(high) || 1;
  const near = thresholds.filter((value) => value >= low - farAway * range && value <= high + farAway * range);
  return pad(Math.min(low, minimum(near)), Math.max(high, maximum(near)));
}

function pad(low: number, high: number): Domain {
  const room = (high - low) * 0.1 || Math.abs(high) * 0.1 || 1;
  // Rates and counts start at zero: a little margin below would only suggest negative values.
  const bottom = low >= 0 && low - room < 0 ? Math.min(0, low) : low - room;
  return [bottom, high + room];
}

// Avoids Math.min(...values): a long series would exceed the argument limit of a call.
function minimum(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(value, least), Number.POSITIVE_INFINITY);
}

function maximum(values: readonly number[]): number {
  return values.reduce((greatest, value) => Math.max(value, greatest), Number.NEGATIVE_INFINITY);
}

export type Tick = { value: number; text: string };

/** Computes three to six round ticks inside the domain, with just enough digits to tell them apart. */
export function computeTicks([low, high]: Domain): Tick[] {
  const rough = (high - low) / 4;
  if (!Number.isFinite(rough) || rough <= 0) return [{ value: low, text: String(low) }];
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = magnitude * ([1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= rough * 0.999) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const ticks: Tick[] = [];
  for (let index = first; index * step <= high + step * 1e-9 && ticks.length < 12; index++) {
    const value = index * step;
    ticks.push({ value, text: formatTickValue(value, step) });
  }
  return ticks;
}

/** Formats with as many digits as the step has, so that two ticks never read the same. */
export function formatTickValue(value: number, step: number): string {
  const size = Math.max(Math.abs(value), step);
  if (value === 0) return "0";
  if (size >= 1e7 || step < 1e-6) {
    const digits = Math.max(
      0,
      Math.floor(Math.log10(Math.abs(value)) + 1e-9) - Math.floor(Math.log10(step) + 1e-9) + 1,
    );
    return trimZeros(value.toExponential(Math.min(digits, 15)));
  }
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) + (isQuarterStep(step) ? 1 : 0);
  return value.toFixed(Math.min(decimals, 20));
}

function isQuarterStep(step: number): boolean {
  const lead = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
  return Math.abs(lead - 2.5) < 1e-6;
}

function trimZeros(text: string): string {
  return text.replace(/\.?0+e/, "e");
}
