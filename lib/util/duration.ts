/** A parsed Go duration, or Go's own error text (`time: invalid duration "..."`). */
export type ParsedDuration = { readonly nanoseconds: bigint } | { readonly error: string };

const nanosecondsPerUnit: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  "\u00b5s": 1_000n,
  "\u03bcs": 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};
const limit = 2n ** 63n;

/**
 * Parses a duration as Go's time.ParseDuration does: signed decimal numbers with units ns, us, ms, s, m, h
 * ("1h30m", "500ms", "-1.5h", "0"). Errors carry Go's text.
 */
export function parseGoDuration(text: string): ParsedDuration {
  const invalid = { error: `time: invalid duration ${quote(text)}` };
  const negative = text.startsWith("-");
  let rest = negative || text.startsWith("+") ? text.slice(1) : text;
  if (rest === "0") return { nanoseconds: 0n };
  if (rest === "") return invalid;
  let total = 0n;
  while (rest !== "") {
    const match = /^([0-9]*)(?:\.([0-9]*))?([^.0-9]*)/.exec(rest);
    const [whole = "", integer = "", fraction = "", unit = ""] = match ?? [];
    if ((integer === "" && fraction === "") || integer.length > 4096) return invalid;
    if (unit === "") return { error: `time: missing unit in duration ${quote(text)}` };
    const scale = Object.hasOwn(nanosecondsPerUnit, unit) ? nanosecondsPerUnit[unit] : undefined;
    if (scale === undefined) return { error: `time: unknown unit ${quote(unit)} in duration ${quote(text)}` };
    total += BigInt(integer === "" ? "0" : integer) * scale + fractionOf(fraction, scale);
    if (total > limit) return invalid;
    rest = rest.slice(whole.length);
  }
  if (negative) return { nanoseconds: -total };
  return total === limit ? invalid : { nanoseconds: total };
}

/** Converts a fraction as Go does: keeps the digits that fit 63 bits and multiplies in floating point. */
function fractionOf(digits: string, scale: bigint): bigint {
  let value = 0n;
  let divisor = 1;
  for (const digit of digits) {
    const next = value * 10n + BigInt(digit);
    if (value > (limit - 1n) / 10n || next > limit) break;
    value = next;
    divisor *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(scale) / divisor)));
}

/** Returns the milliseconds of a Go duration (fractions kept), or undefined if the text does not parse. */
export function parseDurationMs(text: string): number | undefined {
  const parsed = parseGoDuration(text);
  return "error" in parsed ? undefined : Number(parsed.nanoseconds) / 1e6;
}

/** Writes nanoseconds as Go's time.Duration.String does: "1h30m0s", "1.5s", "500ms", "0s". */
export function formatGoDuration(nanoseconds: bigint): string {
  const sign = nanoseconds < 0n ? "-" : "";
  const value = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (value === 0n) return "0s";
  if (value < 1_000n) return `${sign}${value}ns`;
  if (value < 1_000_000n) return `${sign}${decimal(value, 1_000n)}\u00b5s`;
  if (value < 1_000_000_000n) return `${sign}${decimal(value, 1_000_000n)}ms`;
  const seconds = `${decimal(value % 60_000_000_000n, 1_000_000_000n)}s`;
  const minutes = value / 60_000_000_000n;
  if (minutes === 0n) return `${sign}${seconds}`;
  const hours = minutes / 60n;
  return hours === 0n ? `${sign}${minutes}m${seconds}` : `${sign}${hours}h${minutes % 60n}m${seconds}`;
}

/** Writes milliseconds as a Go duration: 90_000 is "1m30s". Fractions below a nanosecond are dropped. */
export function formatDurationMs(milliseconds: number): string {
  if (!Number.isFinite(milliseconds)) throw new RangeError(`not a duration: ${milliseconds}`);
  const whole = BigInt(Math.trunc(milliseconds));
  return formatGoDuration(whole * 1_000_000n + BigInt(Math.round((milliseconds % 1) * 1e6)));
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = (value % unit)
    .toString()
    .padStart(unit.toString().length - 1, "0")
    .replace(/(?<!0)0+$/, "");
  return fraction === "" ? `${value / unit}` : `${value / unit}.${fraction}`;
}

/** Quotes text as Go's time package does: bytes outside printable ASCII become \xNN. */
function quote(text: string): string {
  let out = "";
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0;
    if (char === '"' || char === "\\") out += `\\${char}`;
    else if (code >= 0x20 && code < 0x80) out += char;
    else for (const byte of new TextEncoder().encode(char)) out += `\\x${byte.toString(16).padStart(2, "0")}`;
  }
  return `"${out}"`;
}

/**
 * Returns the seconds from start to end, both by the source's clock. Null while either is unknown, and if the end
 * precedes the start: with contradicting clocks the time between is unknown (FC-20).
 */
export function computeDurationSeconds(startedAt: Date | null, endedAt: Date | null): number | null {
  if (startedAt === null || endedAt === null) return null;
  const milliseconds = endedAt.getTime() - startedAt.getTime();
  return milliseconds >= 0 ? milliseconds / 1000 : null;
}
