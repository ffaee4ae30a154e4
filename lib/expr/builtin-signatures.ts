import {
  anyMap,
  anySlice,
  anyType,
  boolType,
  durationType,
  floatSlice,
  floatType,
  funcOf,
  type GoType,
  intSlice,
  intType,
  isInteger,
  isList,
  isNumber,
  locationType,
  sameType,
  stringSlice,
  stringType,
  timeType,
} from "./go-type.ts";
import type { Language } from "./language.ts";

const text = stringType;
const join = [
  funcOf([stringSlice, text], text),
  funcOf([anySlice, text], text),
  funcOf([anySlice], text),
  funcOf([stringSlice, text], text),
  funcOf([stringSlice], text),
];
const sort = [
  funcOf([anySlice, text], anySlice),
  funcOf([intSlice, text], anySlice),
  funcOf([floatSlice, text], anySlice),
  funcOf([stringSlice, text], anySlice),
  funcOf([anySlice], anySlice),
  funcOf([floatSlice], anySlice),
  funcOf([stringSlice], anySlice),
  funcOf([intSlice], anySlice),
];
const split = [funcOf([text, text], stringSlice), funcOf([text, text, intType], stringSlice)];
const twoInts = [funcOf([intType, intType], intType)];

/** Builtins that are checked against a list of signatures; the first that fits wins (builtin/builtin.go `Types`). */
const builtinOverloads: ReadonlyMap<string, readonly GoType[]> = new Map<string, readonly GoType[]>([
  ["type", [funcOf([anyType], text)]],
  ["string", [funcOf([anyType], text)]],
  ["trim", [funcOf([text], text), funcOf([text, text], text)]],
  ["trimPrefix", [funcOf([text, text], text), funcOf([text], text)]],
  ["trimSuffix", [funcOf([text, text], text), funcOf([text], text)]],
  ["upper", [funcOf([text], text)]],
  ["lower", [funcOf([text], text)]],
  ["split", split],
  ["splitAfter", split],
  ["replace", [funcOf([text, text, text, intType], text), funcOf([text, text, text], text)]],
  ["repeat", [funcOf([text, intType], text)]],
  ["join", join],
  ["indexOf", [funcOf([text, text], intType)]],
  ["lastIndexOf", [funcOf([text, text], intType)]],
  ["hasPrefix", [funcOf([text, text], boolType)]],
  ["hasSuffix", [funcOf([text, text], boolType)]],
  ["toJSON", [funcOf([anyType], text)]],
  ["fromJSON", [funcOf([text], anyType)]],
  ["toBase64", [funcOf([text], text)]],
  ["fromBase64", [funcOf([text], text)]],
  ["duration", [funcOf([text], durationType)]],
  ["timezone", [funcOf([text], locationType)]],
  ["sort", sort],
  ["sum", [funcOf([anySlice, funcOf([anyType], boolType)], intType)]],
  ["bitand", twoInts],
  ["bitor", twoInts],
  ["bitxor", twoInts],
  ["bitnand", twoInts],
  ["bitshl", twoInts],
  ["bitshr", twoInts],
  ["bitushr", twoInts],
  ["bitnot", [funcOf([intType], intType)]],
]);

type Args = readonly (GoType | undefined)[];
type Validated = { readonly type: GoType } | { readonly error: string };

/** Returns the reflect.Kind class of a type. An interface may hold anything; a nil literal has no type. */
function kindOf(type: GoType | undefined): GoType["kind"] | "invalid" {
  if (type === undefined) return "invalid";
  return type.kind === "ptr" ? (type.elem?.kind ?? "invalid") : type.kind;
}

function nameOf(type: GoType | undefined): string {
  return type?.name ?? "%!s(<nil>)";
}

function isAny(type: GoType | undefined): boolean {
  return kindOf(type) === "interface";
}

const numberKinds: ReadonlySet<string> = new Set(["int", "int64", "uint8", "float64"]);
const listKinds: ReadonlySet<string> = new Set(["interface", "slice", "array"]);
const mapKinds: ReadonlySet<string> = new Set(["interface", "map"]);

function wrongCount(args: Args, expected: string): Validated {
  return { error: `invalid number of arguments (expected ${expected}, got ${args.length})` };
}

function one(check: (type: GoType | undefined) => Validated): (args: Args) => Validated {
  return (args) => (args.length === 1 ? check(args[0]) : wrongCount(args, "1"));
}

/** Accepts one argument of these kinds; `refusal` receives the type's name. */
function kinds(allowed: ReadonlySet<string>, result: GoType, refusal: string): (args: Args) => Validated {
  return one((type) => (allowed.has(kindOf(type)) ? { type: result } : { error: `${refusal}${nameOf(type)}` }));
}

function numeric(name: string, result: GoType, extra: readonly string[] = []): (args: Args) => Validated {
  const allowed = new Set([...numberKinds, "interface", ...extra]);
  return one((type) =>
    allowed.has(kindOf(type)) ? { type: result } : { error: `invalid argument for ${name} (type ${nameOf(type)})` },
  );
}

function aggregate(name: string): (args: Args) => Validated {
  return (args) => {
    const [first] = args;
    if (args.length === 0) return { error: `not enough arguments to call ${name}` };
    for (const type of args) {
      if (listKinds.has(kindOf(type))) return { type: anyType };
      if (!numberKinds.has(kindOf(type))) return { error: `invalid argument for ${name} (type ${nameOf(type)})` };
    }
    return { type: first ?? anyType };
  };
}

function endOf(which: string): (args: Args) => Validated {
  return one((type) => {
    if (isAny(type)) return { type: anyType };
    if (type !== undefined && isList(type)) return { type: type.elem ?? anyType };
    return { error: `cannot get ${which} element from ${nameOf(type)}` };
  });
}

function take(args: Args): Validated {
  const [list, count] = args;
  if (args.length !== 2) return wrongCount(args, "2");
  if (!listKinds.has(kindOf(list))) return { error: `cannot take from ${nameOf(list)}` };
  const isCount = isAny(count) || kindOf(count) === "int" || kindOf(count) === "int64";
  return isCount ? { type: list ?? anyType } : { error: `cannot take ${nameOf(count)} elements` };
}

function now(args: Args): Validated {
  const [zone] = args;
  const hasZone = args.length === 1 && zone !== undefined && sameType(zone, locationType);
  return args.length === 0 || hasZone ? { type: timeType } : wrongCount(args, "0");
}

function date(args: Args): Validated {
  const [zone] = args;
  if (args.length < 1) return wrongCount(args, "at least 1");
  const rest = zone !== undefined && sameType(zone, locationType) ? args.slice(1) : args;
  return rest.length > 3 ? wrongCount(rest, "at most 3") : { type: timeType };
}

function concat(args: Args): Validated {
  if (args.length === 0) return wrongCount(args, "at least 1");
  const wrong = args.find((type) => !listKinds.has(kindOf(type)));
  const hasWrong = args.some((type) => !listKinds.has(kindOf(type)));
  return hasWrong ? { error: `cannot concat ${nameOf(wrong)}` } : { type: anySlice };
}

const sized = new Set(["array", "map", "slice", "string", "interface"]);

/** Builtins that check the types of their arguments themselves (builtin/builtin.go `Validate`). */
const builtinValidators: ReadonlyMap<string, (args: Args) => Validated> = new Map<string, (args: Args) => Validated>([
  [
    "len",
    one((type) =>
      sized.has(kindOf(type)) ? { type: intType } : { error: `invalid argument for len (type ${nameOf(type)})` },
    ),
  ],
  ["abs", (args) => withFirstType(args, numeric("abs", anyType)(args))],
  ["ceil", numeric("ceil", floatType)],
  ["floor", numeric("floor", floatType)],
  ["round", numeric("round", floatType)],
  ["int", numeric("int", intType, ["string"])],
  ["float", numeric("float", floatType, ["string"])],
  ["max", aggregate("max")],
  ["min", aggregate("min")],
  ["mean", aggregate("mean")],
  ["median", aggregate("median")],
  ["now", now],
  ["date", date],
  ["first", endOf("first")],
  ["last", endOf("last")],
  ["take", take],
  ["keys", kinds(mapKinds, anySlice, "cannot get keys from ")],
  ["values", kinds(mapKinds, anySlice, "cannot get values from ")],
  [
    "toPairs",
    one((type) =>
      mapKinds.has(kindOf(type)) ? { type: anySlice } : { error: `cannot transform ${nameOf(type)} to pairs` },
    ),
  ],
  [
    "fromPairs",
    one((type) =>
      listKinds.has(kindOf(type)) ? { type: anyMap } : { error: `cannot transform ${nameOf(type)} from pairs` },
    ),
  ],
  ["reverse", kinds(listKinds, anySlice, "cannot reverse ")],
  ["uniq", kinds(listKinds, anySlice, "cannot uniq ")],
  ["concat", concat],
  ["flatten", kinds(listKinds, anySlice, "cannot flatten ")],
]);

function numbersOnly(name: string): (args: Args) => Validated {
  return (args) => {
    const [first] = args;
    if (args.length === 0) return { error: `not enough arguments to call ${name}` };
    for (const type of args) {
      if (isAny(type)) return { type: anyType };
      if (!numberKinds.has(kindOf(type))) return { error: `invalid argument for ${name} (type ${nameOf(type)})` };
    }
    return { type: first ?? anyType };
  };
}

/** Accepts a list and then texts, up to `most` arguments in all. */
function sorted(least: number, most: number): (args: Args) => Validated {
  return (args) => {
    const [list, ...rest] = args;
    if (args.length < least || args.length > most) return wrongCount(args, `${least} or ${most}`);
    if (!listKinds.has(kindOf(list))) return { error: `cannot sort ${nameOf(list)}` };
    const wrong = rest.find((type) => !isAny(type) && kindOf(type) !== "string");
    const hasWrong = rest.some((type) => !isAny(type) && kindOf(type) !== "string");
    return hasWrong
      ? { error: `invalid argument for sort (expected string, got ${nameOf(wrong)})` }
      : { type: anySlice };
  };
}

/** Where expr v1.15.5 differs: no lists among numbers, one list of numbers, sorting by the name of a field. */
const olderValidators: typeof builtinValidators = new Map([
  ...[...builtinValidators].filter(([name]) => name !== "now" && name !== "date"),
  ["max", numbersOnly("max")],
  ["min", numbersOnly("min")],
  ["sum", kinds(listKinds, anyType, "cannot sum ")],
  ["mean", kinds(listKinds, floatType, "cannot avg ")],
  ["median", kinds(listKinds, floatType, "cannot median ")],
  ["sort", sorted(1, 2)],
  ["sortBy", sorted(2, 3)],
]);
const olderOverloads: typeof builtinOverloads = new Map([
  ...builtinOverloads,
  ["now", [funcOf([], timeType)]],
  ["date", [funcOf([text], timeType), funcOf([text, text], timeType), funcOf([text, text, text], timeType)]],
]);

/** Returns how a language checks the arguments of each builtin. */
export function signaturesOf(language: Language): {
  readonly overloads: typeof builtinOverloads;
  readonly validators: typeof builtinValidators;
} {
  return language === "1.15.5"
    ? { overloads: olderOverloads, validators: olderValidators }
    : { overloads: builtinOverloads, validators: builtinValidators };
}

function withFirstType(args: Args, validated: Validated): Validated {
  return "error" in validated ? validated : { type: args[0] ?? anyType };
}

/** Returns true if a call converts integer literals to this type (used when a function takes float64). */
export function takesFloat(type: GoType): boolean {
  return isNumber(type) && !isInteger(type);
}
