import type { Language } from "./language.ts";

export type ArgumentShape = { readonly kind: "expression" | "predicate"; readonly optional?: true };

const collection: ArgumentShape = { kind: "expression" };
const predicate: ArgumentShape = { kind: "predicate" };

/** Builtins whose second argument is evaluated once per element (parser/parser.go `predicates`). */
export const predicateBuiltins: ReadonlyMap<string, readonly ArgumentShape[]> = new Map<
  string,
  readonly ArgumentShape[]
>([
  ["all", [collection, predicate]],
  ["none", [collection, predicate]],
  ["any", [collection, predicate]],
  ["one", [collection, predicate]],
  ["filter", [collection, predicate]],
  ["map", [collection, predicate]],
  ["count", [collection, { kind: "predicate", optional: true }]],
  ["sum", [collection, { kind: "predicate", optional: true }]],
  ["find", [collection, predicate]],
  ["findIndex", [collection, predicate]],
  ["findLast", [collection, predicate]],
  ["findLastIndex", [collection, predicate]],
  ["groupBy", [collection, predicate]],
  ["sortBy", [collection, predicate, { kind: "expression", optional: true }]],
  ["reduce", [collection, predicate, { kind: "expression", optional: true }]],
]);

const plainBuiltins = [
  "len type abs ceil floor round int float string",
  "trim trimPrefix trimSuffix upper lower split splitAfter replace repeat join indexOf lastIndexOf hasPrefix hasSuffix",
  "max min mean median toJSON fromJSON toBase64 fromBase64 now duration date timezone",
  "first last get take keys values toPairs fromPairs reverse uniq concat flatten sort",
  "bitand bitor bitxor bitnand bitshl bitshr bitushr bitnot",
].flatMap((line) => line.split(" "));

/** Every builtin of expr v1.17.8 (builtin/builtin.go `Builtins`). */
export const builtinNames: ReadonlySet<string> = new Set([...predicateBuiltins.keys(), ...plainBuiltins]);

const newNames: ReadonlySet<string> = new Set(
  "timezone reverse uniq concat flatten bitand bitor bitxor bitnand bitshl bitshr bitushr bitnot".split(" "),
);
/** In v1.15.5, these take no predicate. */
const newPredicates: ReadonlySet<string> = new Set(["sum", "sortBy"]);

/** The builtins of expr v1.15.5 with a predicate; of these, only `reduce` has an optional argument. */
const olderPredicates: typeof predicateBuiltins = new Map(
  [...predicateBuiltins]
    .filter(([name]) => !newPredicates.has(name))
    .map(([name, shape]) => [name, name === "count" ? [collection, predicate] : shape]),
);
const olderNames: ReadonlySet<string> = new Set([...builtinNames].filter((name) => !newNames.has(name)));

/** Returns the names of all builtins, and the shapes of those with a predicate. */
export function builtinsOf(language: Language): {
  readonly names: typeof builtinNames;
  readonly predicates: typeof predicateBuiltins;
} {
  return language === "1.15.5"
    ? { names: olderNames, predicates: olderPredicates }
    : { names: builtinNames, predicates: predicateBuiltins };
}
