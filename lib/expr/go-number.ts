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

/**
 * Computes x to the power of y with the rounding of Go's math.Pow, which differs from JavaScript's in the last digits.
 * The whole part of y uses repeated squaring of x's mantissa; the fraction uses exp and log.
 */
export function goPow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (y === 1) return x;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === 0 || !Number.isFinite(x) || !Number.isFinite(y)) return x === -1 ? 1 : x ** y;
  if (y === 0.5) return Math.sqrt(x);
  if (y === -0.5) return 1 / Math.sqrt(x);
  const size = Math.abs(y);
  const whole = Math.trunc(size);
  if (size !== whole && x < 0) return Number.NaN;
  if (whole >= 2 ** 63) return hugePower(x, y);
  return finitePower(x, y, whole, size - whole);
}

/** Handles a huge exponent, which is always even. */
function hugePower(x: number, y: number): number {
  if (x === -1) return 1;
  return Math.abs(x) < 1 === y > 0 ? 0 : Infinity;
}

function finitePower(x: number, y: number, whole: number, fraction: number): number {
  let result = 1;
  let exponent = 0;
  let rest = BigInt(whole);
  if (fraction !== 0) {
    const isUpper = fraction > 0.5;
    if (isUpper) rest++;
    result = Math.exp((isUpper ? fraction - 1 : fraction) * Math.log(x));
  }
  let [mantissa, power] = splitFloat(x);
  for (; rest !== 0n; rest >>= 1n) {
    if (Math.abs(power) > 4096) {
      exponent += power;
      break;
    }
    if (rest & 1n) {
      result *= mantissa;
      exponent += power;
    }
    mantissa *= mantissa;
    power *= 2;
    if (mantissa < 0.5) {
      mantissa *= 2;
      power--;
    }
  }
  return y < 0 ? scale(1 / result, -exponent) : scale(result, exponent);
}

/** Splits a float into a mantissa in [0.5, 1) and its power of two. */
function splitFloat(value: number): [number, number] {
  const lift = Math.abs(value) < 2 ** -1022 ? 52 : 0;
  const lifted = value * 2 ** lift;
  let power = Math.floor(Math.log2(Math.abs(lifted))) + 1;
  let mantissa = scale(lifted, -power);
  if (Math.abs(mantissa) >= 1) {
    mantissa /= 2;
    power++;
  } else if (Math.abs(mantissa) < 0.5) {
    mantissa *= 2;
    power--;
  }
  return [mantissa, power - lift];
}

/** Computes value * 2^power, rounded once for any power. */
function scale(value: number, power: number): number {
  const steps = Math.max(-2200, Math.min(2200, power));
  if (Math.abs(steps) <= 1000) return value * 2 ** steps;
  const half = Math.trunc(steps / 3);
  return value * 2 ** half * 2 ** half * 2 ** (steps - 2 * half);
}
