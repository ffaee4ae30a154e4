import type { Budget } from "./budget.ts";
import { assertString } from "./conversion.ts";
import { runtimeError } from "./errors.ts";
import { compareStrings, formatValue } from "./format-value.ts";
import type { Builtin } from "./frame.ts";
import { formatTime } from "./go-time.ts";
import {
  GoFunction,
  GoInteger,
  GoList,
  GoLocation,
  GoMap,
  GoStruct,
  GoTime,
  type GoValue,
  typeName,
  valueOfJson,
} from "./go-value.ts";
import { describeJsonError } from "./json-error.ts";

export const dataBuiltins: Readonly<Record<string, Builtin>> = {
  type: ([value = null]) => describeType(value),
  string: ([value = null], { budget }) => formatValue(value, budget),
  toJSON: ([value = null], { budget }) => toJson(value, budget, ""),
  fromJSON: ([text], { budget }) => fromJson(assertString(text), budget),
  toBase64: ([text], { budget }) => toBase64(new TextEncoder().encode(assertString(text)), budget),
  fromBase64: ([text], { budget }) => fromBase64(assertString(text), budget),
};

/** Implements builtin/lib.go `Type`. */
function describeType(value: GoValue): string {
  if (value === null) return "nil";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "float";
  if (typeof value === "string") return "string";
  if (value instanceof GoInteger) {
    if (value.type.isNamed) return value.type.name;
    return value.type.kind === "uint8" ? "uint" : "int";
  }
  if (value instanceof GoList) return "array";
  if (value instanceof GoMap) return "map";
  if (value instanceof GoTime) return "time.Time";
  if (value instanceof GoLocation) return "unknown";
  return value instanceof GoFunction ? "func" : value.type.name;
}

/** Encodes as Go's json.MarshalIndent does with two spaces: keys sorted, <, > and & escaped. */
function toJson(value: GoValue, budget: Budget, indent: string): string {
  budget.spend(1);
  if (value === null || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "number") return jsonNumber(value);
  if (typeof value === "string") return jsonText(value, budget);
  if (value instanceof GoInteger) return String(value.value);
  if (value instanceof GoTime) {
    return jsonText(formatTime(value, "2006-01-02T15:04:05.999999999Z07:00", budget), budget);
  }
  if (value instanceof GoList && value.type.elem?.kind === "uint8") {
    budget.spend(value.items.length);
    return jsonText(toBase64(bytesOf(value), budget), budget);
  }
  if (value instanceof GoList) return value.isNil ? "null" : jsonList(value, budget, indent);
  if (value instanceof GoMap && value.type.key?.kind === "string") {
    budget.spend(value.entries.size);
    const entries = [...value.entries.values()].map(([key, item]) => [String(key), item] as const);
    const sorted = entries.sort(([left], [right]) => compareStrings(left, right, budget));
    return jsonObject(sorted, budget, indent);
  }
  if (value instanceof GoStruct) return jsonObject([...value.fields], budget, indent);
  throw runtimeError(`json: unsupported type: ${typeName(value)}`);
}

function bytesOf(list: GoList): Uint8Array {
  return Uint8Array.from(list.items, (item) => (item instanceof GoInteger ? Number(item.value) : 0));
}

function toBase64(bytes: Uint8Array, budget: Budget): string {
  budget.text(bytes.length * 2);
  const parts: string[] = [];
  for (let start = 0; start < bytes.length; start += chunk) {
    parts.push(String.fromCharCode(...bytes.subarray(start, start + chunk)));
  }
  return btoa(parts.join(""));
}

/** How many bytes fit as arguments of one call on any stack. */
const chunk = 4096;

function jsonNumber(value: number): string {
  if (Number.isFinite(value)) return Object.is(value, -0) ? "-0" : String(value);
  throw runtimeError(`json: unsupported value: ${formatNonFinite(value)}`);
}

function formatNonFinite(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
}

function jsonText(text: string, budget: Budget): string {
  budget.text(text.length);
  const quoted = JSON.stringify(text);
  budget.text(quoted.length);
  if (!goEscapes.test(quoted)) return quoted;
  // Each escape costs as much as a step.
  budget.spend(quoted.length);
  return quoted.replace(everyGoEscape, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const goEscapes = /[<>&\u2028\u2029]/;
const everyGoEscape = new RegExp(goEscapes, "g");

function jsonList(list: GoList, budget: Budget, indent: string): string {
  if (list.items.length === 0) return "[]";
  const inner = `${indent}  `;
  const items = list.items.map((item) => `${inner}${toJson(item, budget, inner)}`);
  return joined(items, budget, ["[", `${indent}]`]);
}

function jsonObject(entries: readonly (readonly [string, GoValue])[], budget: Budget, indent: string): string {
  if (entries.length === 0) return "{}";
  const inner = `${indent}  `;
  const items = entries.map(([key, item]) => `${inner}${jsonText(key, budget)}: ${toJson(item, budget, inner)}`);
  return joined(items, budget, ["{", `${indent}}`]);
}

function joined(items: readonly string[], budget: Budget, [open, close]: readonly [string, string]): string {
  budget.text(items.reduce((sum, item) => sum + item.length + 2, 0));
  return `${open}\n${items.join(",\n")}\n${close}`;
}

function fromJson(text: string, budget: Budget): GoValue {
  budget.bound(text.length);
  budget.spend(text.length >> 2);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (error instanceof RangeError) throw error;
    throw runtimeError(describeJsonError(text));
  }
  return finite(valueOfJson(parsed), budget);
}

/** Rejects a number beyond float64: an error in Go, while JavaScript reads it as infinity. */
function finite(value: GoValue, budget: Budget): GoValue {
  budget.spend(1);
  if (value === Infinity || value === -Infinity) {
    throw runtimeError("json: cannot unmarshal number into Go value of type float64");
  }
  if (value instanceof GoList) for (const item of value.items) finite(item, budget);
  if (value instanceof GoMap) for (const [, item] of value.entries.values()) finite(item, budget);
  return value;
}

function fromBase64(text: string, budget: Budget): string {
  budget.bound(text.length);
  budget.spend(text.length >> 2);
  const clean = text.replace(/[\r\n]/g, "");
  const illegal = /[^A-Za-z0-9+/]/.exec(clean.replace(/={1,2}$/, ""));
  if (illegal !== null || clean.length % 4 !== 0) {
    throw runtimeError(`illegal base64 data at input byte ${illegal?.index ?? clean.length - (clean.length % 4)}`);
  }
  const bytes = Uint8Array.from(atob(clean), (char) => char.charCodeAt(0));
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
