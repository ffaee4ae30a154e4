/** Returns the given object from the constructor, so that a subclass adds its private fields to that object. */
const Given = function (this: unknown, value: object): object {
  return value;
} as unknown as new (
  value: object,
) => object;

/**
 * Marks subtrees known to be deeply frozen; Object.isFrozen says nothing about the levels below. A private field is
 * invisible to everything else and is not copied; a WeakSet of millions of subtrees would slow down every garbage
 * collection.
 */
class FrozenMark extends Given {
  readonly #mark = true;

  static has(value: object): boolean {
    return #mark in value;
  }
}

/**
 * Returns a deeply frozen copy of a JSON value. Subtrees equal to those of `previous` are reused, so the result is
 * `previous` itself exactly if nothing differs, and unchanged parts cost no memory. Undefined members are left out.
 */
export function sharedCopy<T>(value: T, previous?: unknown): T {
  return copy(value, previous) as T;
}

/** Compares two JSON values; the order of keys does not matter. */
export function isEqualJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((item, i) => isEqualJson(item, right[i]));
  }
  if (!isPlainObject(left) || !isPlainObject(right)) return false;
  const keys = Object.keys(left).filter((key) => left[key] !== undefined);
  const others = Object.keys(right).filter((key) => right[key] !== undefined);
  return keys.length === others.length && keys.every((key) => key in right && isEqualJson(left[key], right[key]));
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function copy(value: unknown, previous: unknown): unknown {
  if (value === previous) {
    return isFrozenOrPrimitive(value) ? value : copy(value, undefined);
  }
  if (Array.isArray(value)) return copyArray(value, Array.isArray(previous) ? previous : undefined);
  if (isPlainObject(value)) return copyObject(value, isPlainObject(previous) ? previous : undefined);
  return value;
}

function isFrozenOrPrimitive(value: unknown): boolean {
  return typeof value !== "object" || value === null || FrozenMark.has(value);
}

function copyArray(value: unknown[], previous: unknown[] | undefined): unknown[] {
  if (previous === undefined && FrozenMark.has(value)) return value;
  let same = previous !== undefined && previous.length === value.length && FrozenMark.has(previous);
  const items = value.map((item, i) => {
    const copied = item === undefined ? null : copy(item, previous?.[i]);
    if (same && copied !== previous?.[i]) same = false;
    return copied;
  });
  if (same && previous !== undefined) return previous;
  return seal(items);
}

function copyObject(
  value: Record<string, unknown>,
  previous: Record<string, unknown> | undefined,
): Record<string, unknown> {
  if (previous === undefined && FrozenMark.has(value)) return value;
  const result: Record<string, unknown> = {};
  let count = 0;
  let same = previous !== undefined && FrozenMark.has(previous);
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    count += 1;
    const before = previous !== undefined && Object.hasOwn(previous, key) ? previous[key] : undefined;
    const copied = copy(member, before);
    define(result, key, copied);
    if (same && copied !== before) same = false;
  }
  if (same && previous !== undefined && Object.keys(previous).length === count) return previous;
  return seal(result);
}

/** Sets a member, so that one named __proto__ stays an ordinary member. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    target[key] = value;
  }
}

function seal<T extends object>(value: T): T {
  new FrozenMark(value);
  return Object.freeze(value);
}
