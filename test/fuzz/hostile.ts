import fc from "fast-check";

const cursorOf = (text: string) => Buffer.from(text).toString("base64url");

/** Texts that broke programs before: encodings, paths, numbers, dates, names of members, cursors. */
export const hostileTexts: readonly string[] = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "a\udfffb",
  "\ufeff",
  "\u202egpj.exe",
  "\u200b",
  "İß\ufdfa🦄e\u0301",
  "\r\nSet-Cookie: a=b",
  "../../../etc/passwd",
  "%2e%2e%2f%00",
  "..",
  "/",
  "a/b/Rollout/c",
  "'; DROP TABLE rollout; --",
  "%_\\",
  "\\",
  "(((((",
  "*",
  "<script>alert(1)</script>",
  "{{7*7}}#{7*7}",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "null",
  "undefined",
  "true",
  "[]",
  "{}",
  "0",
  "-0",
  "-1",
  "1.5",
  "0x10",
  "1e400",
  "NaN",
  "Infinity",
  "2147483648",
  "9007199254740993",
  "9223372036854775808",
  "9".repeat(400),
  "0000-01-01T00:00:00Z",
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999Z",
  "2026-02-30T00:00:00Z",
  "2026-01-01T00:00:00.123456789Z",
  "+275760-09-13T00:00:00Z",
  "00000000-0000-0000-0000-000000000000",
  "x".repeat(1000),
  "é".repeat(5000),
  ...["{}", "[]", "null", '"x"', '["x"]', "[1e400]", '[null,"x",{}]', '{"__proto__":1}', "\u0000"].map(cursorOf),
];

const hostileValues: readonly unknown[] = [
  ...hostileTexts,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  2 ** 31,
  2 ** 53,
  1e308,
  -1e-308,
  [],
  [[[[[[]]]]]],
  {},
  JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {}}}'),
  { toString: "x", valueOf: null, length: -1 },
  Array.from({ length: 300 }, (_, index) => index),
  "y".repeat(70_000),
];

export const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
);
export const hostileValue = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...hostileValues) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

type Mutation = { at: number; how: "replace" | "remove" | "add" | "wrap"; value: unknown };

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat({ max: 1000 }),
  how: fc.constantFrom("replace", "replace", "remove", "add", "wrap"),
  value: hostileValue,
});

/** Makes values that are almost what `valid` makes: one or two members replaced, removed, added or put into a list. */
export function mutated(valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.array(mutation, { minLength: 1, maxLength: 2 }))
    .map(([value, mutations]) => mutations.reduce(mutate, structuredClone(value)));
}

type Place = { holder: Record<string, unknown>; key: string };

function mutate(root: unknown, { at, how, value }: Mutation): unknown {
  const box = { root };
  const places = listPlaces(box);
  // Index 0 is the whole value: another one in its place says little, so it is taken only if there is nothing else.
  const place = places.length > 1 ? places[1 + (at % (places.length - 1))] : places[0];
  if (place === undefined) return value;
  const { holder, key } = place;
  if (how === "replace") holder[key] = value;
  else if (how === "wrap") holder[key] = [holder[key]];
  else if (how === "remove" && holder !== box) delete holder[key];
  else holder[typeof value === "string" ? value.slice(0, 30) : "unknownMember"] = value;
  return box.root;
}

function listPlaces(holder: Record<string, unknown>): Place[] {
  return Object.keys(holder).flatMap((key) => {
    const value = holder[key];
    const own = [{ holder, key }];
    return typeof value === "object" && value !== null
      ? [...own, ...listPlaces(value as Record<string, unknown>)]
      : own;
  });
}
