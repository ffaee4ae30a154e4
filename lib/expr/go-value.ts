import type { Budget } from "./budget.ts";
import {
  anySlice,
  boolType,
  byteSlice,
  floatSlice,
  floatType,
  type GoType,
  intType,
  locationType,
  stringMap,
  stringType,
  timeType,
} from "./go-type.ts";

/** A whole number that is not a plain `int`: int64, uint8, time.Duration, ... */
export class GoInteger {
  readonly type: GoType;
  readonly value: bigint;
  constructor(type: GoType, value: bigint) {
    this.type = type;
    this.value = value;
  }
}

/** A slice or an array. A nil slice has no items and equals nil. */
export class GoList {
  readonly type: GoType;
  readonly items: readonly GoValue[];
  readonly isNil: boolean;
  constructor(type: GoType, items: readonly GoValue[], isNil = false) {
    this.type = type;
    this.items = items;
    this.isNil = isNil;
  }
}

/** Entries keyed by `mapKey`, in insertion order (Go's own order is random). */
export class GoMap {
  readonly type: GoType;
  readonly entries: ReadonlyMap<string, readonly [GoValue, GoValue]>;
  constructor(type: GoType, entries: ReadonlyMap<string, readonly [GoValue, GoValue]>) {
    this.type = type;
    this.entries = entries;
  }
}

export class GoStruct {
  readonly type: GoType;
  readonly fields: ReadonlyMap<string, GoValue>;
  constructor(type: GoType, fields: ReadonlyMap<string, GoValue>) {
    this.type = type;
    this.fields = fields;
  }
}

/** A time zone from the IANA database, or UTC. */
export class GoLocation {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A point in time, in nanoseconds since 1970, as seen in a zone. `zone` names a fixed offset if the text had one. */
export class GoTime {
  readonly nanoseconds: bigint;
  readonly zone: string | { readonly name: string; readonly offsetSeconds: number };
  constructor(nanoseconds: bigint, zone: GoTime["zone"]) {
    this.nanoseconds = nanoseconds;
    this.zone = zone;
  }
}

/** A function value; it also receives the result that the expression is evaluated on. */
export class GoFunction {
  readonly type: GoType;
  readonly call: (args: readonly GoValue[], result: GoValue, budget: Budget) => GoValue;
  constructor(type: GoType, call: GoFunction["call"]) {
    this.type = type;
    this.call = call;
  }
}

/** A value as an expression sees it. null is nil, bigint is Go's int, number is float64; the classes are the rest. */
export type GoValue =
  | null
  | boolean
  | string
  | number
  | bigint
  | GoInteger
  | GoList
  | GoMap
  | GoStruct
  | GoTime
  | GoLocation
  | GoFunction;

/** Returns the Go type of a value; nil has none. */
export function typeOfValue(value: GoValue): GoType | undefined {
  switch (typeof value) {
    case "boolean":
      return boolType;
    case "string":
      return stringType;
    case "number":
      return floatType;
    case "bigint":
      return intType;
    default:
      if (value === null) return undefined;
      if (value instanceof GoTime) return timeType;
      return value instanceof GoLocation ? locationType : value.type;
  }
}

/** Returns the type as Go's `%T` prints it. */
export function typeName(value: GoValue): string {
  return typeOfValue(value)?.name ?? "<nil>";
}

export function anyList(items: readonly GoValue[]): GoList {
  return new GoList(anySlice, items);
}

export function floatList(items: readonly number[]): GoList {
  return new GoList(floatSlice, items);
}

export function byteList(bytes: Uint8Array, byteType: GoType): GoList {
  return new GoList(
    byteSlice,
    Array.from(bytes, (byte) => new GoInteger(byteType, BigInt(byte))),
  );
}

export function stringKeyedMap(entries: Iterable<readonly [string, GoValue]>): GoMap {
  return new GoMap(stringMap, new Map(Array.from(entries, ([key, value]) => [`s${key}`, [key, value] as const])));
}

/** Returns the text under which a map stores a key, or undefined for a key that Go cannot hash. */
export function mapKey(key: GoValue): string | undefined {
  switch (typeof key) {
    case "string":
      return `s${key}`;
    case "bigint":
      return `i${key}`;
    case "number":
      return `f${key}`;
    case "boolean":
      return `b${key}`;
    default:
      if (key === null) return "n";
      if (key instanceof GoInteger) return `${key.type.name} ${key.value}`;
      if (key instanceof GoTime) return `t${key.nanoseconds} ${JSON.stringify(key.zone)}`;
      return undefined;
  }
}

/**
 * Converts a parsed JSON value as Go's encoding/json does: every number is a float64. With `wholeAsInt`, whole numbers
 * are ints, as some clients decode them.
 */
export function valueOfJson(json: unknown, wholeAsInt = false): GoValue {
  if (json === null || json === undefined) return null;
  if (typeof json === "boolean" || typeof json === "string") return json;
  if (typeof json === "number") return wholeAsInt && Number.isSafeInteger(json) ? BigInt(json) : json;
  if (Array.isArray(json)) return anyList(json.map((item) => valueOfJson(item, wholeAsInt)));
  if (typeof json !== "object") return null;
  return stringKeyedMap(Object.entries(json).map(([key, item]) => [key, valueOfJson(item, wholeAsInt)]));
}
