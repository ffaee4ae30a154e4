import type { ThresholdOperator } from "#lib/domain/delivery/explaining.ts";

/** A fraction of 1: shown in percent, though recorded, exported and compared as it is. */
const fraction = "ratio";

/** Returns the unit that values are shown in; null for none. */
export function shownUnit(unit: string | null): string | null {
  return unit === fraction ? "%" : unit;
}

/** Converts a number to the unit that it is shown in: 0.927 to 92.7. */
export function toShown(value: number, unit: string | null): number {
  return unit === fraction && Number.isFinite(value) ? Number(toPercent(value)) : value;
}

/** Moves the point, with all digits: 0.57 becomes 57, and not 56.99999999999999 as by a multiplication. */
function toPercent(value: number): string {
  const [digits = "", exponent] = String(value).split("e");
  if (exponent !== undefined) return String(Number(`${digits}e${Number(exponent) + 2}`));
  const [whole = "", part = ""] = digits.split(".");
  const moved = `${whole}${part.slice(0, 2).padEnd(2, "0")}.${part.slice(2)}`;
  return moved.replace(/^(-?)0+(?=\d)/, "$1").replace(/\.$/, "");
}

/**
 * Writes a limit in the unit that its values are shown in, with all its digits: "0.95" as "95 %". A limit that is
 * written with its unit gets a space: "500ms" becomes "500 ms".
 */
export function showLimit(text: string, unit: string | null): string {
  if (!isNumber(text)) return text.replace(/^([\d.]+)(%|[a-z]{1,3})$/, "$1 $2");
  if (unit === fraction) return `${toPercent(Number(text))} %`;
  return unit === null ? text : `${text} ${unit}`;
}

/** Returns whether a recorded value is none: controllers write the missing result of a query as `null` or `<nil>`. */
export function isNoValue(recorded: string): boolean {
  return /^(?:null|<nil>)?$/.test(recorded.trim());
}

/**
 * Rounds a recorded value for reading, with its unit: "0.92708" as "92.71 %". Takes more digits if the rounded value
 * would be on the other side of a limit, or on it. Shows a list of one number as that number, and other text unchanged.
 */
export function showValue(recorded: string, unit: string | null, limits: readonly number[] = []): string {
  if (isNoValue(recorded)) return "no value";
  const value = withoutBrackets(recorded);
  if (!isNumber(value)) return value;
  const rounded = unit === fraction ? roundValue(toPercent(Number(value)), limits, "e-2") : roundValue(value, limits);
  return unit === null ? rounded : `${rounded}\u2009${shownUnit(unit)}`;
}

/** Writes a recorded value with its unit and all its digits, for places beside a verdict that do not know the limits. */
export function showRecorded(recorded: string, unit: string | null): string {
  if (isNoValue(recorded)) return "no value";
  const value = withoutBrackets(recorded);
  if (!isNumber(value) || unit === null) return value;
  return `${unit === fraction ? toPercent(Number(value)) : value}\u2009${shownUnit(unit)}`;
}

/** Removes the brackets of `[0.97]`, which is one value; a longer list stays as it is. */
export function withoutBrackets(value: string): string {
  return /^\[([^,[\]]+)\]$/.exec(value)?.[1] ?? value;
}

function isNumber(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** Zero, and the whole as a fraction and in percent: 0.99996 is not all. */
const ends = [0, 1, 100];

/**
 * Rounds to four digits, or to as many as keep the value on its side of the limits and of 0, 1 and 100. With an
 * `exponent`, it is compared with the limits as it was recorded: two values may be one number in percent.
 */
function roundValue(recorded: string, limits: readonly number[], exponent: "" | "e-2" = ""): string {
  const value = Number(recorded);
  if (!/^-?\d*\.\d+$/.test(recorded.trim())) return recorded;
  const back = (shown: string | number) => Number(`${shown}${exponent}`);
  const exact = back(recorded.trim());
  const bounds = [...ends.map(back), ...limits];
  for (let digits = 4; digits <= 15; digits += 1) {
    // The digits before the point all stay.
    const rounded =
      Math.abs(value) >= 1_000
        ? Math.round(value * 10 ** (digits - 4)) / 10 ** (digits - 4)
        : Number(value.toPrecision(digits));
    const text = String(rounded);
    if (text.includes("e")) return recorded;
    if (bounds.every((limit) => Math.sign(back(text) - limit) === Math.sign(exact - limit))) return text;
  }
  return recorded;
}

/** The signs that texts show for the operators of conditions. */
export const operatorSigns: Readonly<Record<ThresholdOperator, string>> = {
  "<": "<",
  "<=": "≤",
  ">": ">",
  ">=": "≥",
  "==": "=",
  "!=": "≠",
};
