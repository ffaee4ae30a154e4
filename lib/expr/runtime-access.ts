import type { Budget } from "./budget.ts";
import { toInt } from "./conversion.ts";
import { ExpressionError, runtimeError } from "./errors.ts";
import { formatValue } from "./format-value.ts";
import { anyType, type GoType, intSlice, uint8Type } from "./go-type.ts";
import { GoInteger, GoList, GoMap, GoStruct, type GoValue, mapKey, typeName, typeOfValue } from "./go-value.ts";
import { boundMethod } from "./methods.ts";
import { equal } from "./runtime-operators.ts";
import { byteLength } from "./search-text.ts";

/** Implements `from[key]` and `from.key` (vm/runtime/runtime.go `Fetch`). */
export function fetch(from: GoValue, key: GoValue, budget: Budget): GoValue {
  if (from instanceof GoList) return elementAt(from.items, key);
  if (typeof key === "string") budget.read(key.length);
  const method = typeof key === "string" ? boundMethod(from, key) : undefined;
  if (method !== undefined) return method;
  if (from instanceof GoMap) {
    const found = lookUp(from, key);
    return found === undefined ? zeroOf(from.type.elem) : found;
  }
  if (from instanceof GoStruct && typeof key === "string") {
    const field = from.fields.get(key);
    if (field !== undefined) return field;
  }
  if (typeof from === "string") return byteAt(from, key, budget);
  throw runtimeError(`cannot fetch ${formatValue(key, budget)} from ${typeName(from)}`);
}

function elementAt(items: readonly GoValue[], key: GoValue): GoValue {
  return at(items, key);
}

function at<T>(items: { readonly length: number; readonly [index: number]: T }, key: GoValue): T {
  const wanted = Number(toInt(key));
  const index = wanted < 0 ? items.length + wanted : wanted;
  const item = items[index];
  if (item === undefined) {
    throw runtimeError(`index out of range: ${index} (array length is ${items.length})`);
  }
  return item;
}

function byteAt(text: string, key: GoValue, budget: Budget): GoValue {
  budget.read(text.length);
  const bytes = new TextEncoder().encode(text);
  return new GoInteger(uint8Type, BigInt(at(bytes, key)));
}

/** Returns the value under a key, or undefined if absent; a key of the wrong type is Go's panic. */
function lookUp(map: GoMap, key: GoValue): GoValue | undefined {
  const wanted = map.type.key ?? anyType;
  if (wanted.kind !== "interface") {
    if (key === null) return map.entries.get(wanted.kind === "string" ? "s" : "i0")?.[1];
    if (typeName(key) !== wanted.name) {
      const misfit = `value of type ${typeName(key)} is not assignable to type ${wanted.name}`;
      throw runtimeError(`reflect.Value.MapIndex: ${misfit}`);
    }
  }
  const hash = mapKey(key);
  if (hash === undefined) throw runtimeError(`hash of unhashable type: ${typeName(key)}`);
  return map.entries.get(hash)?.[1];
}

function zeroOf(type: GoType | undefined): GoValue {
  return type?.kind === "slice" ? new GoList(type, [], true) : null;
}

/** Implements builtin `get`: like `fetch`, but nil if nothing is found (builtin/lib.go `get`). */
export function get(from: GoValue, key: GoValue, budget: Budget): GoValue {
  if (typeof key === "string") budget.read(key.length);
  const method = typeof key === "string" ? boundMethod(from, key) : undefined;
  if (method !== undefined) return method;
  if (from instanceof GoMap) return lookUp(from, key) ?? null;
  if (from instanceof GoStruct) return (typeof key === "string" && from.fields.get(key)) || null;
  const items = from instanceof GoList ? from.items : undefined;
  if (items === undefined && typeof from !== "string") return null;
  const wanted = Number(toInt(key));
  if (items === undefined) budget.read(String(from).length);
  const length = items?.length ?? byteLength(String(from));
  const index = wanted < 0 ? length + wanted : wanted;
  if (index < 0 || index >= length) return null;
  return items?.[index] ?? byteAt(String(from), BigInt(index), budget);
}

/** Implements `needle in haystack` (vm/runtime/runtime.go `In`). */
export function isIn(needle: GoValue, haystack: GoValue, budget: Budget, isEqual = equal): boolean {
  if (haystack === null) return false;
  if (haystack instanceof GoList) {
    budget.spend(haystack.items.length);
    return haystack.items.some((item) => isEqual(item, needle, budget));
  }
  if (typeof needle === "string") budget.read(needle.length);
  if (haystack instanceof GoMap) return lookUp(haystack, needle) !== undefined;
  const type = typeOfValue(haystack);
  if (type?.kind === "struct") {
    if (typeof needle === "string") return type.fields?.has(needle) === true;
    throw runtimeError(`cannot use ${typeName(needle)} as field name of ${typeName(haystack)}`);
  }
  throw runtimeError(`operator "in" not defined on ${typeName(haystack)}`);
}

/** Implements `value[from:to]`; texts are cut by bytes as in Go (vm/runtime/runtime.go `Slice`). */
export function slice(value: GoValue, from: GoValue, to: GoValue, budget: Budget): GoValue {
  if (value instanceof GoList) {
    const [start, end] = bounds(value.items.length, from, to);
    budget.spend((end - start) >> 3);
    return new GoList(value.type, value.items.slice(start, end));
  }
  if (typeof value === "string") {
    budget.read(value.length);
    return sliceText(value, from, to);
  }
  throw runtimeError(`cannot slice ${formatValue(from, budget)}`);
}

function bounds(length: number, from: GoValue, to: GoValue): readonly [number, number] {
  const absolute = (index: number): number => Math.max(0, index < 0 ? length + index : index);
  const end = Math.min(absolute(Number(toInt(to))), length);
  return [Math.min(absolute(Number(toInt(from))), end), end];
}

function sliceText(text: string, from: GoValue, to: GoValue): string {
  const bytes = new TextEncoder().encode(text);
  const [start, end] = bounds(bytes.length, from, to);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(start, end));
  } catch {
    throw new ExpressionError("unsupported", "a slice cuts a text inside a character");
  }
}

/** Returns the length of a list, map or text (in bytes) for an open slice (vm/runtime/runtime.go `Len`). */
export function sliceLength(value: GoValue, budget: Budget): bigint {
  if (value instanceof GoList) return BigInt(value.items.length);
  if (value instanceof GoMap) return BigInt(value.entries.size);
  if (typeof value === "string") {
    budget.read(value.length);
    return BigInt(byteLength(value));
  }
  throw runtimeError(`invalid argument for len (type ${typeName(value)})`);
}

/** Implements `from..to`, both included (vm/runtime/runtime.go `MakeRange`). */
export function range(from: GoValue, to: GoValue, budget: Budget): GoList {
  const [start, end] = [toInt(from), toInt(to)];
  const size = BigInt.asIntN(64, end - start + 1n);
  if (size <= 0n) return new GoList(intSlice, []);
  const count = size > 2_000_000n ? 2_000_000 : Number(size);
  budget.allocate(count);
  budget.spend(count >> 1);
  return new GoList(
    intSlice,
    Array.from({ length: Number(size) }, (_, index) => start + BigInt(index)),
  );
}
