import { type ParseArgsOptionsConfig, parseArgs } from "node:util";
import { parseDurationMs } from "#lib/util/duration.ts";
import { hasBrand } from "#lib/util/has-brand.ts";

/** Invalid command line usage: reported as one line, exit status 2. */
export class UsageError extends Error {
  readonly brand = "usage-error";
  override readonly name = "UsageError";
}

export function isUsageError(error: unknown): error is UsageError {
  return hasBrand(error, "usage-error");
}

/** A failure whose message needs no stack trace: reported as one line with the given exit status. */
export class CommandError extends Error {
  readonly brand = "command-error";
  override readonly name = "CommandError";
  readonly exitStatus: number;

  constructor(message: string, exitStatus = 1) {
    super(message);
    this.exitStatus = exitStatus;
  }
}

export function isCommandError(error: unknown): error is CommandError {
  return hasBrand(error, "command-error");
}

type Flags<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ args: string[]; options: Options; strict: true; allowPositionals: false }>
>["values"];

/** Parses flags strictly; an unknown or extra argument throws a `UsageError` that names it. */
export function parseFlags<Options extends ParseArgsOptionsConfig>(args: string[], options: Options): Flags<Options> {
  try {
    return parseArgs({ args, options, strict: true, allowPositionals: false }).values;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const known = Object.keys(options).map((name) => `--${name}`);
    const first = message.split(/\. |\n/)[0] ?? message;
    throw new UsageError(`${first}; ${known.length > 0 ? `known flags: ${known.join(" ")}` : "it takes no flags"}`);
  }
}

/**
 * Parses flags as `parseFlags` does, and as many words as `words` names, in that order. Throws a `UsageError` that names
 * the missing word or the one too many.
 */
export function parseWords<Options extends ParseArgsOptionsConfig, const Words extends readonly string[]>(
  args: string[],
  words: Words,
  options: Options,
): { flags: Flags<Options>; words: { [Index in keyof Words]: string } } {
  const given: string[] = [];
  const rest = [...args];
  // A word is what stands before the flags: after a flag, it could be the flag's value.
  while (rest[0] !== undefined && !rest[0].startsWith("-")) given.push(...rest.splice(0, 1));
  const missing = words[given.length];
  if (missing !== undefined) throw new UsageError(`${missing} is missing; give it before the flags`);
  const extra = given[words.length];
  if (extra !== undefined) throw new UsageError(`unexpected ${JSON.stringify(extra)}`);
  return { flags: parseFlags(rest, options), words: given as { [Index in keyof Words]: string } };
}

const dayMs = 86_400_000;

/**
 * Parses a length of time such as `90s`, `10m` or `2h`, in ms. Throws a `UsageError` that names the flag. The default of
 * `mostDays` is the longest wait of a timer.
 */
export function parseTimeFlag(flag: string, text: string, mostDays = 24): number {
  const ms = parseDurationMs(text);
  if (ms === undefined || ms <= 0)
    throw new UsageError(`${flag} must be a time such as 90s, 10m or 2h, not ${JSON.stringify(text)}`);
  if (ms > mostDays * dayMs) throw new UsageError(`${flag} may be at most ${mostDays} days, not ${text}`);
  return ms;
}

/** Parses a flag's whole number within bounds; returns the fallback if the flag is absent. */
export function parseInteger(options: {
  flag: string;
  text: string | undefined;
  fallback: number;
  min: number;
  max: number;
}): number {
  if (options.text === undefined) return options.fallback;
  const value = /^\d{1,15}$/.test(options.text) ? Number(options.text) : Number.NaN;
  if (value >= options.min && value <= options.max) return value;
  throw new UsageError(
    `${options.flag} must be a whole number from ${options.min} to ${options.max}, not ${JSON.stringify(options.text)}`,
  );
}

/** Parses a flag's positive number such as `0.5`; returns the fallback if the flag is absent. */
export function parsePositiveNumber(options: {
  flag: string;
  text: string | undefined;
  fallback: number;
  max: number;
}): number {
  if (options.text === undefined) return options.fallback;
  const value = /^\d+(\.\d+)?$/.test(options.text) ? Number(options.text) : Number.NaN;
  if (value > 0 && value <= options.max) return value;
  throw new UsageError(
    `${options.flag} must be a number above 0 and at most ${options.max}, not ${JSON.stringify(options.text)}`,
  );
}
