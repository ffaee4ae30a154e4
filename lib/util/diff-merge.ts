import { isRecord } from "./json.ts";

type Fields = Record<string, unknown>;

/**
 * Computes the smallest merge patch (RFC 7396) that turns `current` into `wanted`. Removed members become null; lists
 * are replaced whole. Returns `{}` if nothing differs. A merge patch cannot set a member to null, so nulls in `wanted`
 * count as absent.
 */
export function diffMerge(current: Fields, wanted: Fields): Fields {
  const patch: Fields = {};
  for (const key of Object.keys(current)) if ((memberOf(wanted, key) ?? null) === null) put(patch, key, null);
  for (const [key, value] of Object.entries(wanted)) {
    if (value === null || value === undefined) continue;
    const before = memberOf(current, key);
    if (isRecord(value) && isRecord(before)) {
      const inside = diffMerge(before, value);
      if (Object.keys(inside).length > 0) put(patch, key, inside);
    } else if (!isSame(before, dropNulls(value))) put(patch, key, dropNulls(value));
  }
  return patch;
}

/** Applies the merge patch to `target` as a server does, and returns the result. Neither argument is changed. */
export function applyMerge(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const result: Fields = {};
  if (isRecord(target)) for (const [key, value] of Object.entries(target)) put(result, key, value);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else put(result, key, applyMerge(memberOf(result, key), value));
  }
  return result;
}

/** Copies a value as plain JSON and drops members that are null or undefined, at any depth. */
export function dropNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropNulls);
  if (!isRecord(value)) return value;
  const result: Fields = {};
  for (const [key, member] of Object.entries(value))
    if (member !== null && member !== undefined) put(result, key, dropNulls(member));
  return result;
}

/** Compares two values as JSON: the order of members does not matter, and an undefined member counts as absent. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].every((key) => isSame(memberOf(one, key), memberOf(other, key)));
}

/** Reads a member safely: in foreign JSON, `__proto__` is an ordinary name. */
function memberOf(fields: Fields, key: string): unknown {
  return Object.hasOwn(fields, key) ? Object.getOwnPropertyDescriptor(fields, key)?.value : undefined;
}

function put(fields: Fields, key: string, value: unknown): void {
  Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
}
