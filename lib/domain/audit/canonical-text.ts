import canonicalize from "canonicalize";

/**
 * The values that a hashed text may contain: every number is a safe integer, so that all readers render it the same
 * way.
 */
export type CanonicalValue =
  | string
  | boolean
  | null
  | number
  | readonly CanonicalValue[]
  | { readonly [key: string]: CanonicalValue };

/**
 * Formats the RFC 8785 text of a value made of strings, booleans, null, safe integers, arrays and plain objects. Throws
 * `TypeError` with the path of anything else: fractions, NaN, undefined, dates, lone surrogates.
 */
export function formatCanonicalText(value: unknown): string {
  assertCanonical(value, "");
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("nothing to write");
  return text;
}

function assertCanonical(value: unknown, path: string): asserts value is CanonicalValue {
  const place = path === "" ? "the value" : path;
  if (value === null || typeof value === "boolean") return;
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new TypeError(`${place} holds a lone surrogate`);
    return;
  }
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${place} is not a safe integer`);
    return;
  }
  if (Array.isArray(value)) {
    // Uses indexes, so that a hole in the array is an error too.
    for (let index = 0; index < value.length; index += 1) assertCanonical(value[index], `${path}[${index}]`);
    return;
  }
  if (!isPlainObject(value)) throw new TypeError(`${place} is ${typeof value}, which has no canonical text`);
  for (const [key, member] of Object.entries(value)) {
    if (!key.isWellFormed()) throw new TypeError(`a key of ${place} holds a lone surrogate`);
    assertCanonical(member, path === "" ? key : `${path}.${key}`);
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
