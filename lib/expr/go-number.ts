import { goQuote } from "./go-quote.ts";

export const maxInt64 = 2n ** 63n - 1n;
export const minInt64 = -(2n ** 63n);

export type Parsed<T> = { readonly value: T } | { readonly error: string };

/** Wraps as Go's 64-bit int does. */
export function wrapInt(value: bigint): bigint {
  return BigInt.asIntN(64, value);
}

/** Implements Go's strconv.ParseInt(text, 10, 64) with its error text. */
export function parseGoInt(text: string, name = "ParseInt"): Parsed<bigint> {
  const failure = (reason: string): Parsed<bigint> => ({
    error: `strconv.${name}: parsing ${goQuote(text)}: ${reason}`,
  });
  if (!/^[+-]?[0-9]+$/.test(text)) return failure("invalid syntax");
  const digits = text.replace(/^[+-]?0*/, "");
  if (digits.length > 19) return failure("value out of range");
  const value = BigInt(digits === "" ? "0" : digits) * (text.startsWith("-") ? -1n : 1n);
  return value > maxInt64 || value < minInt64 ? failure("value out of range") : { value };
}

// Each character matches in only one way: adjacent groups for the same characters would make matching quadratic.
const decimal =
  /^[+-]?(?:[0-9](?:_?[0-9])*(?:\.(?:[0-9](?:_?[0-9])*)?)?|\.[0-9](?:_?[0-9])*)(?:[eE][+-]?[0-9](?:_?[0-9])*)?$/;
const hexadecimal = /^([+-]?)0[xX]([0-9a-fA-F_]*)(?:\.([0-9a-fA-F_]*))?[pP]([+-]?[0-9_]+)$/;

/** Implements Go's strconv.ParseFloat(text, 64) with its error text. */
export function parseGoFloat(text: string): Parsed<number> {
  const failure = (reason: string): Parsed<number> => ({
    error: `strconv.ParseFloat: parsing ${goQuote(text)}: ${reason}`,
  });
  const special = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (special?.[2]?.toLowerCase() === "nan")
    return special[1] === "" ? { value: Number.NaN } : failure("invalid syntax");
  if (special) return { value: special[1] === "-" ? -Infinity : Infinity };
  const value = decimal.test(text) ? Number(text.replaceAll("_", "")) : parseHexFloat(text);
  if (value === undefined) return failure("invalid syntax");
  return Number.isFinite(value) ? { value } : failure("value out of range");
}

/** Parses hexadecimal floats of up to 64 significant bits; anything longer is rounded by double conversion. */
function parseHexFloat(text: string): number | undefined {
  const match = hexadecimal.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = "", exponent = ""] = match.map((part) => part?.replaceAll("_", ""));
  if (whole === "" && fraction === "") return undefined;
  const mantissa = Number(BigInt(`0x${whole}${fraction}`));
  const value = mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === "-" ? -value : value;
}

/** strconv switches to the exponent form from here on if it may choose the precision itself. */
const shortestPrecision = 6;

/** Formats a float64 as Go's `%v` does: shortest digits, exponent form below 1e-4 and from 1e+06. */
export function formatGoFloat(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (value === 0) return Object.is(value, -0) ? "-0" : "0";
  const [mantissa = "", exponentText = "0"] = value.toExponential().split("e");
  const exponent = Number(exponentText);
  if (exponent < -4 || exponent >= shortestPrecision) {
    const digits = String(Math.abs(exponent)).padStart(2, "0");
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${digits}`;
  }
  return String(value);
}
