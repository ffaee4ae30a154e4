import type { Budget } from "./budget.ts";
import { isSpace } from "./characters.ts";
import { assertString, toInt } from "./conversion.ts";
import { runtimeError } from "./errors.ts";
import type { Builtin } from "./frame.ts";
import { stringSlice } from "./go-type.ts";
import { GoList, type GoValue, typeName } from "./go-value.ts";
import { byteLength, charactersOf, countCharacters, firstIndexOf, lastIndexOf, splitText } from "./search-text.ts";

export const textBuiltins: Readonly<Record<string, Builtin>> = {
  trim: ([text, cutset], { budget }) => {
    const value = bounded(text, budget);
    return cutset === undefined ? trimSpace(value) : trimSet(value, assertString(cutset), budget);
  },
  trimPrefix: ([text, prefix]) => {
    const [value, cut] = [assertString(text), prefix === undefined ? " " : assertString(prefix)];
    return value.startsWith(cut) ? value.slice(cut.length) : value;
  },
  trimSuffix: ([text, suffix]) => {
    const [value, cut] = [assertString(text), suffix === undefined ? " " : assertString(suffix)];
    return value.endsWith(cut) ? value.slice(0, value.length - cut.length) : value;
  },
  upper: ([text], { budget }) => {
    const value = bounded(text, budget);
    return isAscii(value) ? value.toUpperCase() : mapCharacters(value, budget, (char) => char.toUpperCase());
  },
  lower: ([text], { budget }) => {
    const value = bounded(text, budget);
    return isAscii(value) ? value.toLowerCase() : mapCharacters(value, budget, (char) => char.toLowerCase());
  },
  split: ([text, separator, limit], { budget }) => split({ text, separator, limit, budget, keep: false }),
  splitAfter: ([text, separator, limit], { budget }) => split({ text, separator, limit, budget, keep: true }),
  replace: ([text, old, replacement, limit], { budget }) => {
    const times = limit === undefined ? -1 : Number(toInt(limit));
    return replace({
      text: bounded(text, budget),
      old: assertString(old),
      by: assertString(replacement),
      times,
      budget,
    });
  },
  repeat: ([text, count = null], { budget }) => repeat(assertString(text), Number(toInt(count)), budget),
  join: ([list = null, glue], { budget }) => join(list, glue === undefined ? "" : assertString(glue), budget),
  indexOf: ([text, part], { budget }) => {
    const value = bounded(text, budget);
    return byteIndex(value, firstIndexOf(value, assertString(part), budget));
  },
  lastIndexOf: ([text, part], { budget }) => {
    const value = bounded(text, budget);
    return byteIndex(value, lastIndexOf(value, assertString(part), budget));
  },
  hasPrefix: ([text, prefix]) => assertString(text).startsWith(assertString(prefix)),
  hasSuffix: ([text, suffix]) => assertString(text).endsWith(assertString(suffix)),
};

/** Checks only the length of an argument; the caller of a builtin charges for its arguments. */
function bounded(value: GoValue | undefined, budget: Budget): string {
  const text = assertString(value);
  budget.bound(text.length);
  return text;
}

function trimSpace(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text[start])) start++;
  while (end > start && isSpace(text[end - 1])) end--;
  return text.slice(start, end);
}

function trimSet(text: string, cutset: string, budget: Budget): string {
  budget.spend(cutset.length);
  const set = new Set(Array.from(cutset, (char) => char.codePointAt(0) ?? 0));
  let [start, end] = [0, text.length];
  while (start < end) {
    const code = text.codePointAt(start) ?? 0;
    if (!set.has(code)) break;
    budget.spend(1);
    start += sizeOf(code);
  }
  while (end > start) {
    const pair = text.codePointAt(Math.max(start, end - 2)) ?? 0;
    const code = pair > 0xffff ? pair : text.charCodeAt(end - 1);
    if (!set.has(code)) break;
    budget.spend(1);
    end -= sizeOf(code);
  }
  return text.slice(start, end);
}

function sizeOf(code: number): number {
  return code > 0xffff ? 2 : 1;
}

const ascii = /^[\0-\x7f]*$/;

function isAscii(text: string): boolean {
  return ascii.test(text);
}

/** Maps character by character, as Go does: a character that would become several stays as it is. */
function mapCharacters(text: string, budget: Budget, map: (char: string) => string): string {
  const characters = charactersOf(text, budget);
  return characters.map((char) => (countCharacters(map(char)) === 1 ? map(char) : char)).join("");
}

type Split = {
  readonly text: GoValue | undefined;
  readonly separator: GoValue | undefined;
  readonly limit: GoValue | undefined;
  readonly budget: Budget;
  readonly keep: boolean;
};

/** Implements Go's SplitN and SplitAfterN: 0 gives a nil list, a negative limit means no limit. */
function split({ text, separator, limit, budget, keep }: Split): GoList {
  const value = bounded(text, budget);
  const mark = assertString(separator);
  const most = limit === undefined ? -1 : Number(toInt(limit));
  if (most === 0) return new GoList(stringSlice, [], true);
  const pieces = mark === "" ? charactersOf(value, budget) : splitText(value, mark, budget);
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
  const pieces = old === "" ? ["", ...charactersOf(text, budget), ""] : splitText(text, old, budget);
  const count = times < 0 ? pieces.length - 1 : Math.min(times, pieces.length - 1);
  budget.text(text.length + count * by.length);
  const isEdge = old === "" && count === pieces.length - 1;
  const head = pieces.slice(0, count + 1).join(by);
  const rest = pieces.slice(count + 1);
  return isEdge || rest.length === 0 ? head : [head, ...rest].join(old);
}

function repeat(text: string, count: number, budget: Budget): string {
  if (count < 0) throw runtimeError(`invalid argument for repeat (expected positive integer, got ${count})`);
  if (count > 1e6) throw runtimeError("memory budget exceeded");
  const length = byteLength(text) * count;
  if (length >= 1e6) throw runtimeError("memory budget exceeded");
  budget.allocate(length);
  return text.repeat(count);
}

function join(list: GoValue, glue: string, budget: Budget): string {
  if (!(list instanceof GoList) || (list.type.elem?.kind !== "string" && list.type.elem?.kind !== "interface")) {
    throw runtimeError(`invalid argument for join (type ${list === null ? "%!s(<nil>)" : typeName(list)})`);
  }
  budget.spend(list.items.length);
  const texts = list.items.map(assertString);
  const length = texts.reduce((sum, text) => sum + text.length + glue.length, 0);
  budget.text(length);
  return texts.join(glue);
}

/** Converts an index to bytes, which is what Go counts. */
function byteIndex(text: string, index: number): bigint {
  return index < 0 ? -1n : BigInt(byteLength(text.slice(0, index)));
}
