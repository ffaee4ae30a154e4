import type { Budget } from "./budget.ts";
import { assertString, toInt } from "./conversion.ts";
import { budgetError, runtimeError } from "./errors.ts";
import type { Builtin } from "./frame.ts";
import { stringSlice } from "./go-type.ts";
import { GoList, type GoValue, typeName } from "./go-value.ts";

const spaces = "[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const leading = new RegExp(`^${spaces}+`);

export const textBuiltins: Readonly<Record<string, Builtin>> = {
  trim: ([text, cutset], { budget }) => {
    const value = booked(text, budget);
    return cutset === undefined ? trimSpace(value) : trimSet(value, assertString(cutset));
  },
  trimPrefix: ([text, prefix]) => {
    const [value, cut] = [assertString(text), prefix === undefined ? " " : assertString(prefix)];
    return value.startsWith(cut) ? value.slice(cut.length) : value;
  },
  trimSuffix: ([text, suffix]) => {
    const [value, cut] = [assertString(text), suffix === undefined ? " " : assertString(suffix)];
    return value.endsWith(cut) ? value.slice(0, value.length - cut.length) : value;
  },
  upper: ([text], { budget }) => mapCharacters(text, budget, (char) => char.toUpperCase()),
  lower: ([text], { budget }) => mapCharacters(text, budget, (char) => char.toLowerCase()),
  split: ([text, separator, limit], { budget }) => split({ text, separator, limit, budget, keep: false }),
  splitAfter: ([text, separator, limit], { budget }) => split({ text, separator, limit, budget, keep: true }),
  replace: ([text, old, replacement, limit], { budget }) => {
    const times = limit === undefined ? -1 : Number(toInt(limit));
    return replace({
      text: booked(text, budget),
      old: assertString(old),
      by: assertString(replacement),
      times,
      budget,
    });
  },
  repeat: ([text, count = null], { budget }) => repeat(assertString(text), Number(toInt(count)), budget),
  join: ([list = null, glue], { budget }) => join(list, glue === undefined ? "" : assertString(glue), budget),
  indexOf: ([text, part], { budget }) => byteIndex(booked(text, budget), (value) => value.indexOf(assertString(part))),
  lastIndexOf: ([text, part], { budget }) =>
    byteIndex(booked(text, budget), (value) => value.lastIndexOf(assertString(part))),
  hasPrefix: ([text, prefix]) => assertString(text).startsWith(assertString(prefix)),
  hasSuffix: ([text, suffix]) => assertString(text).endsWith(assertString(suffix)),
};

function booked(value: GoValue | undefined, budget: Budget): string {
  const text = assertString(value);
  budget.text(text.length);
  return text;
}

function trimSpace(text: string): string {
  const start = text.replace(leading, "");
  let end = start.length;
  while (end > 0 && leading.test(start[end - 1] ?? "")) end--;
  return start.slice(0, end);
}

function trimSet(text: string, cutset: string): string {
  const set = new Set(cutset);
  const chars = Array.from(text);
  let [start, end] = [0, chars.length];
  while (start < end && set.has(chars[start] ?? "")) start++;
  while (end > start && set.has(chars[end - 1] ?? "")) end--;
  return chars.slice(start, end).join("");
}

/** Go maps character by character: one that would become several stays as it is. */
function mapCharacters(text: GoValue | undefined, budget: Budget, map: (char: string) => string): string {
  const value = booked(text, budget);
  budget.spend(value.length >> 2);
  return Array.from(value, (char) => {
    const mapped = map(char);
    return Array.from(mapped).length === 1 ? mapped : char;
  }).join("");
}

type Split = {
  readonly text: GoValue | undefined;
  readonly separator: GoValue | undefined;
  readonly limit: GoValue | undefined;
  readonly budget: Budget;
  readonly keep: boolean;
};

/** Go's SplitN and SplitAfterN: 0 gives a nil list, a negative limit none. */
function split({ text, separator, limit, budget, keep }: Split): GoList {
  const value = booked(text, budget);
  const mark = assertString(separator);
  const most = limit === undefined ? -1 : Number(toInt(limit));
  if (most === 0) return new GoList(stringSlice, [], true);
  const pieces = mark === "" ? Array.from(value) : value.split(mark);
  budget.spend(pieces.length);
  const count = most < 0 || most > pieces.length ? pieces.length : most;
  const glue = keep ? mark : "";
  const head = pieces.slice(0, count - 1).map((piece) => piece + glue);
  const tail = pieces.slice(Math.max(0, count - 1)).join(mark);
  return new GoList(stringSlice, count === 0 ? [] : [...head, tail]);
}

function replace(input: {
  readonly text: string;
  readonly old: string;
  readonly by: string;
  readonly times: number;
  readonly budget: Budget;
}): string {
  const { text, old, by, times, budget } = input;
  const pieces = old === "" ? ["", ...Array.from(text), ""] : text.split(old);
  const count = times < 0 ? pieces.length - 1 : Math.min(times, pieces.length - 1);
  budget.text(text.length + count * by.length);
  budget.spend(pieces.length);
  const isEdge = old === "" && count === pieces.length - 1;
  const head = pieces.slice(0, count + 1).join(by);
  const rest = pieces.slice(count + 1);
  return isEdge || rest.length === 0 ? head : [head, ...rest].join(old);
}

function repeat(text: string, count: number, budget: Budget): string {
  if (count < 0) throw runtimeError(`invalid argument for repeat (expected positive integer, got ${count})`);
  if (count > 1e6) throw runtimeError("memory budget exceeded");
  const length = new TextEncoder().encode(text).length * count;
  if (length >= 1e6) throw runtimeError("memory budget exceeded");
  budget.allocate(length);
  return text.repeat(count);
}

function join(list: GoValue, glue: string, budget: Budget): string {
  if (!(list instanceof GoList) || (list.type.elem?.kind !== "string" && list.type.elem?.kind !== "interface")) {
    throw runtimeError(`invalid argument for join (type ${list === null ? "%!s(<nil>)" : typeName(list)})`);
  }
  const texts = list.items.map(assertString);
  const length = texts.reduce((sum, text) => sum + text.length + glue.length, 0);
  if (length > 1_000_000) throw budgetError("text is longer than 1000000 characters");
  budget.text(length);
  budget.spend(texts.length);
  return texts.join(glue);
}

/** Go counts bytes. */
function byteIndex(text: string, find: (text: string) => number): bigint {
  const index = find(text);
  return index < 0 ? -1n : BigInt(new TextEncoder().encode(text.slice(0, index)).length);
}
