import type { Budget } from "./budget.ts";

/** The part of a string that searching uses; a test counts how often it is read. */
export type Readable = Pick<string, "length" | "charCodeAt">;

/**
 * Returns the first index of `part` in `text` at or after `from`, or -1, in at most 2(n + m) reads for any input
 * (Knuth, Morris and Pratt). The engine's own indexOf and lastIndexOf take n times m on texts such as aaa...a.
 */
export function searchText(text: Readable, part: Readable, from = 0): number {
  return createSearch(part)(text, from);
}

type Search = (text: Readable, from: number) => number;

function createSearch(part: Readable): Search {
  const size = part.length;
  const borders = bordersOf(part);
  return (text, from) => {
    if (size === 0) return from;
    let matched = 0;
    for (let index = from; index < text.length; index++) {
      const code = text.charCodeAt(index);
      while (matched > 0 && part.charCodeAt(matched) !== code) matched = borders[matched - 1] ?? 0;
      if (part.charCodeAt(matched) === code) matched++;
      if (matched === size) return index + 1 - size;
    }
    return -1;
  };
}

/** Returns, for each prefix of a text, the length of the longest shorter prefix that is also its suffix. */
function bordersOf(part: Readable): Int32Array {
  const borders = new Int32Array(part.length);
  let length = 0;
  for (let index = 1; index < part.length; index++) {
    const code = part.charCodeAt(index);
    while (length > 0 && part.charCodeAt(length) !== code) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(length) === code) length++;
    borders[index] = length;
  }
  return borders;
}

/**
 * Up to this length of `part`, the engine's own search is faster and does at most this many comparisons per character.
 */
const shortPart = 8;

function bookSearch(text: string, part: string, budget: Budget): void {
  if (part.length > shortPart) budget.spend((text.length + part.length) >> 4);
}

/** Computes `text.indexOf(part)` in linear time; the caller has charged for the two texts. */
export function firstIndexOf(text: string, part: string, budget: Budget): number {
  if (part.length > text.length) return -1;
  bookSearch(text, part, budget);
  return part.length <= shortPart ? text.indexOf(part) : searchText(text, part);
}

/** Computes `text.lastIndexOf(part)` in linear time; the caller has charged for the two texts. */
export function lastIndexOf(text: string, part: string, budget: Budget): number {
  if (part.length > text.length) return -1;
  bookSearch(text, part, budget);
  if (part.length <= shortPart) return text.lastIndexOf(part);
  const index = searchText(backwards(text), backwards(part));
  return index < 0 ? -1 : text.length - index - part.length;
}

function backwards(text: string): Readable {
  const last = text.length - 1;
  return { length: text.length, charCodeAt: (index) => text.charCodeAt(last - index) };
}

/** Computes `text.split(mark)` for a non-empty mark, in linear time; every piece is charged before it is made. */
export function splitText(text: string, mark: string, budget: Budget): string[] {
  if (mark.length > text.length) return [text];
  bookSearch(text, mark, budget);
  const search: Search = mark.length <= shortPart ? (_, from) => text.indexOf(mark, from) : createSearch(mark);
  const pieces: string[] = [];
  let start = 0;
  for (;;) {
    budget.spend(1);
    const end = search(text, start);
    if (end < 0) break;
    pieces.push(text.slice(start, end));
    start = end + mark.length;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** Returns the characters of a text, counting a surrogate pair as one; charged before they are made. */
export function charactersOf(text: string, budget: Budget): string[] {
  budget.spend(text.length);
  return Array.from(text);
}

/** Counts the characters that `charactersOf` would return. */
export function countCharacters(text: string): number {
  let pairs = 0;
  for (let index = 1; index < text.length; index++) {
    const isLow = (text.charCodeAt(index) & 0xfc00) === 0xdc00;
    if (isLow && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800) pairs++;
  }
  return text.length - pairs;
}

/** Returns the length of a text in UTF-8 bytes, as Go counts it. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
