import { anyList, GoList, type GoValue, stringKeyedMap } from "#lib/expr/go-value.ts";
import { countedItems } from "./count-work.ts";

/** Returns values that are hard for builtins, as fields of one result. Texts have about `size` characters. */
export function hostileResult(size: number): GoValue {
  const half = size >> 1;
  const count = size >> 4;
  const texts: Record<string, string> = {
    same: "a".repeat(size),
    needle: `b${"a".repeat(half)}`,
    needleBack: `${"a".repeat(half)}b`,
    almost: `${"a".repeat(size - 1)}b`,
    blanks: " ".repeat(size),
    wide: "\u{1f600}".repeat(half),
    accents: "\u00e9".repeat(size),
    digits: `${"1".repeat(size)}x`,
    hex: `0x${"a".repeat(size)}`,
    angles: "<".repeat(size),
    controls: "\u0001".repeat(size),
    json: `[${"1,".repeat(half)}1]`,
    brackets: "[".repeat(size),
    object: `{${Array.from({ length: count }, (_, index) => `"k${index}":1`).join(",")}}`,
    base64: "AAAA".repeat(size >> 2),
    seconds: "05.1 ".repeat(size / 5),
    secondsLayout: "05 ".repeat(size / 3),
    layout: "2006".repeat(size >> 2),
    durations: "1h".repeat(half),
    fraction: `1.${"1".repeat(size)}h`,
    commas: "a,".repeat(half),
    pattern: "(a?){20}b",
    zone: "Europe/Berlin",
    otherZone: "eUROPE/bERLIN",
    date: "2026-01-01",
    short: "a",
    empty: "",
  };
  const numbers = Array.from({ length: count }, (_, index) => index);
  const words = numbers.map((index) => `${"a".repeat(64)}${index}`);
  const lists: Record<string, readonly GoValue[]> = {
    numbers,
    words,
    nested: numbers.map((index) => anyList([index])),
    pairs: words.map((word) => anyList([word, 1])),
    none: [],
  };
  return stringKeyedMap([
    ...Object.entries(texts),
    ...Object.entries(lists).map(([name, items]) => [name, counted(items)] as const),
    ["map", stringKeyedMap(words.map((word) => [word, 1n] as const))],
    ["zero", 0n],
    ["many", 100_000n],
    ["minus", -1n],
    ["float", 0.5],
    ["nothing", null],
    ["yes", true],
  ]);
}

function counted(items: readonly GoValue[]): GoList {
  const list = anyList([]);
  return new GoList(list.type, countedItems(items));
}

/** Returns how an expression reads the fields of a result. */
export function hostileFields(result: GoValue): readonly string[] {
  if (result === null || typeof result !== "object" || !("entries" in result)) throw new Error("no map");
  return Array.from(result.entries.values(), ([name]) => `result.${String(name)}`);
}
