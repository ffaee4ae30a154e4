import { toShown } from "#lib/domain/units/show-value.ts";

export type Domain = readonly [number, number];

/** A line more than this many data ranges away would flatten the data; its label is put at the edge instead. */
const farAway = 100;

export type ScaleKind = "linear" | "log";

/** Optional values are on the axis if they are within this many data ranges. */
const nearby = 2;

type ValueAxis = {
  kind?: ScaleKind;
  /** Values to compare with: on the axis unless they would flatten the data. */
  comparedValues?: readonly number[];
};

/**
 * Computes the value axis: all values, and the thresholds that fit on it. A constant series gets margin, so that its
 * line is in the middle and not on an edge. A logarithmic axis leaves out values that are not positive.
 */
export function computeValueDomain(
  values: readonly number[],
  thresholds: readonly number[],
  { kind = "linear", comparedValues = [] }: ValueAxis = {},
): Domain {
  if (kind === "log") return computeLogDomain([...values, ...thresholds, ...comparedValues]);
  const finite = values.filter(Number.isFinite);
  const anchors = finite.length > 0 ? finite : thresholds;
  if (anchors.length === 0) return [0, 1];
  const [low, high] = widen([minimum(anchors), maximum(anchors)], thresholds, farAway);
  return pad(...widen([low, high], comparedValues.filter(Number.isFinite), nearby));
}

/** Widens a range by those values that are at most so many times its size away. */
function widen([low, high]: Domain, values: readonly number[], most: number): Domain {
  const range = high - low || Math.abs(high) || 1;
  const near = values.filter((value) => value >= low - most * range && value <= high + most * range);
  return [Math.min(low, minimum(near)), Math.max(high, maximum(near))];
}

function computeLogDomain(values: readonly number[]): Domain {
  const positive = values.filter((value) => Number.isFinite(value) && value > 0);
  if (positive.length === 0) return [0.1, 1];
  const [low, high] = [Math.log10(minimum(positive)), Math.log10(maximum(positive))];
  const room = (high - low) * 0.06 || 0.3;
  return [10 ** (low - room), 10 ** (high + room)];
}

/** Returns whether a logarithmic axis helps: all values are positive and span more than two decades. */
export function mayUseLog(values: readonly number[]): boolean {
  const finite = values.filter(Number.isFinite);
  return finite.length > 1 && minimum(finite) > 0 && maximum(finite) / minimum(finite) > 100;
}

/** Returns how far along the axis a value is, from 0 to 1; not finite if a logarithmic axis has no place for it. */
export function toShare(value: number, [low, high]: Domain, kind: ScaleKind): number {
  if (kind === "log") return (Math.log10(value) - Math.log10(low)) / (Math.log10(high) - Math.log10(low) || 1);
  return (value - low) / (high - low || 1);
}

/** Returns the value at a share of the axis. */
export function fromShare(share: number, [low, high]: Domain, kind: ScaleKind): number {
  if (kind === "log") return 10 ** (Math.log10(low) + share * (Math.log10(high) - Math.log10(low)));
  return low + share * (high - low);
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
export function computeTicks([low, high]: Domain, kind: ScaleKind = "linear"): Tick[] {
  if (kind === "log") return computeLogTicks([low, high]);
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

/** Computes ticks that are round in the unit that the values are shown in. */
export function computeTicksIn(unit: string | null, [low, high]: Domain, kind: ScaleKind = "linear"): Tick[] {
  const scale = toShown(1, unit);
  return computeTicks([low * scale, high * scale], kind).map(({ value, text }) => ({ value: value / scale, text }));
}

/** Powers of ten, and twice and five times these if there are few. */
function computeLogTicks([low, high]: Domain): Tick[] {
  const first = Math.floor(Math.log10(low));
  const decades = Math.log10(high) - Math.log10(low);
  const factors = decades > 4 ? [1] : [1, 2, 5];
  const every = Math.max(1, Math.ceil(decades / 6));
  const ticks: Tick[] = [];
  for (let power = first; 10 ** power <= high; power += every) {
    for (const factor of factors) {
      const value = factor * 10 ** power;
      if (value >= low && value <= high) ticks.push({ value, text: formatPower(factor, power) });
    }
  }
  return ticks;
}

function formatPower(factor: number, power: number): string {
  if (power > 5 || power < -5) return `${factor}e${power < 0 ? "" : "+"}${power}`;
  return power < 0 ? (factor * 10 ** power).toFixed(-power) : String(factor * 10 ** power);
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
  return text.replace(/\.?0{1,20}e/, "e");
}
