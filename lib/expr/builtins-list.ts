import type { Budget } from "./budget.ts";
import { kindName } from "./conversion.ts";
import { isExpressionError, runtimeError } from "./errors.ts";
import { formatValue } from "./format-value.ts";
import type { Builtin } from "./frame.ts";
import { anyMap, anySlice, pairSlice, pairType } from "./go-type.ts";
import { anyList, GoInteger, GoList, GoMap, type GoValue, mapKey, typeName } from "./go-value.ts";
import { fetch, get } from "./runtime-access.ts";
import { equal } from "./runtime-operators.ts";
import { countCharacters } from "./search-text.ts";
import { sortValues } from "./sort.ts";

export const listBuiltins: Readonly<Record<string, Builtin>> = {
  len: ([value = null], { budget }) => BigInt(lengthOf(value, budget)),
  first: ([list = null], { budget }) => edge(list, 0n, budget),
  last: ([list = null], { budget }) => edge(list, -1n, budget),
  get: ([from = null, key = null], { budget }) => get(from, key, budget),
  take: ([list = null, count = null], { budget }) => take(list, count, budget),
  keys: ([map = null], { budget }) => anyList(entriesOf(map, "get keys from", budget).map(([key]) => key)),
  values: ([map = null], { budget }) => anyList(entriesOf(map, "get values from", budget).map(([, value]) => value)),
  toPairs: ([map = null], { budget }) => toPairs(map, budget),
  fromPairs: ([list = null], { budget }) => fromPairs(list, budget),
  reverse: ([list = null], { budget }) => {
    const items = itemsFor("reverse", list);
    budget.allocate(items.length);
    return anyList([...items].reverse());
  },
  uniq: ([list = null], { budget }) => uniq(itemsFor("uniq", list), budget),
  concat: (lists, { budget }) => {
    const items = lists.map((list) => itemsFor("concat", list));
    budget.allocate(items.reduce((sum, { length }) => sum + length, 0));
    const joined = items.flat();
    return new GoList(anySlice, joined, joined.length === 0);
  },
  flatten: ([list = null], { budget }) => {
    const flat = flatten(itemsFor("flatten", list), budget);
    budget.allocate(flat.length);
    return anyList(flat);
  },
  sort: ([list = null, order], { budget }) => sort(list, order, budget),
};

function lengthOf(value: GoValue, budget: Budget): number {
  if (value instanceof GoList) return value.items.length;
  if (value instanceof GoMap) return value.entries.size;
  if (typeof value !== "string") throw runtimeError(`invalid argument for len (type ${typeName(value)})`);
  budget.bound(value.length);
  return countCharacters(value);
}

function itemsFor(action: string, value: GoValue): readonly GoValue[] {
  if (value instanceof GoList) return value.items;
  throw runtimeError(`cannot ${action} ${kindName(value)}`);
}

function entriesOf(value: GoValue, action: string, budget: Budget): readonly (readonly [GoValue, GoValue])[] {
  if (!(value instanceof GoMap)) throw runtimeError(`cannot ${action} ${kindName(value)}`);
  budget.spend(value.entries.size);
  return [...value.entries.values()];
}

/** Reads an element; returns nil for any runtime error. */
export function edge(list: GoValue, index: GoValue, budget: Budget): GoValue {
  try {
    return fetch(list, index, budget);
  } catch (error) {
    if (isExpressionError(error) && error.kind === "runtime") return null;
    throw error;
  }
}

function take(list: GoValue, count: GoValue, budget: Budget): GoValue {
  if (!(list instanceof GoList)) throw runtimeError(`cannot take from ${kindName(list)}`);
  const isSigned = typeof count === "bigint" || (count instanceof GoInteger && count.type.kind !== "uint8");
  if (!isSigned) throw runtimeError(`cannot take ${kindName(count)} elements`);
  const wanted = Number(typeof count === "bigint" ? count : count.value);
  if (wanted < 0) throw runtimeError("reflect.Value.Slice: slice index out of bounds");
  budget.spend(Math.min(wanted, list.items.length) >> 3);
  return new GoList(list.type, list.items.slice(0, wanted));
}

function toPairs(map: GoValue, budget: Budget): GoList {
  if (!(map instanceof GoMap)) throw runtimeError(`cannot transform ${kindName(map)} to pairs`);
  budget.spend(map.entries.size);
  return new GoList(
    pairSlice,
    Array.from(map.entries.values(), (entry) => new GoList(pairType, entry)),
  );
}

function fromPairs(list: GoValue, budget: Budget): GoMap {
  if (!(list instanceof GoList)) throw runtimeError(`cannot transform ${formatValue(list, budget)} from pairs`);
  budget.spend(list.items.length);
  const entries = list.items.map((pair) => {
    if (!(pair instanceof GoList)) throw runtimeError(`invalid pair ${formatValue(pair, budget)}`);
    const [key = null, value = null] = pair.items;
    if (pair.items.length !== 2) throw runtimeError(`invalid pair length ${formatValue(pair, budget)}`);
    if (typeof key === "string") budget.read(key.length);
    const hash = mapKey(key);
    if (hash === undefined) throw runtimeError(`hash of unhashable type: ${typeName(key)}`);
    return [hash, [key, value]] as const;
  });
  return new GoMap(anyMap, new Map<string, readonly [GoValue, GoValue]>(entries));
}

function uniq(items: readonly GoValue[], budget: Budget): GoList {
  const kept: GoValue[] = [];
  for (const item of items) {
    budget.spend(kept.length);
    if (!kept.some((other) => equal(item, other, budget))) kept.push(item);
  }
  return anyList(kept);
}

function flatten(items: readonly GoValue[], budget: Budget): GoValue[] {
  budget.spend(items.length);
  return items.flatMap((item) => (item instanceof GoList ? flatten(item.items, budget) : [item]));
}

/** Sorts a list. Other list types give a nil list, because upstream knows only four. */
function sort(list: GoValue, order: GoValue | undefined, budget: Budget): GoList {
  if (order !== undefined && typeof order !== "string") {
    throw runtimeError(`sort order argument must be a string (got ${typeName(order)})`);
  }
  if (order !== undefined && order !== "asc" && order !== "desc") {
    throw runtimeError(`invalid order ${order}, expected asc or desc`);
  }
  const sortable = ["interface", "int", "float64", "string"];
  if (!(list instanceof GoList) || !sortable.includes(list.type.elem?.kind ?? ""))
    return new GoList(anySlice, [], true);
  budget.allocate(list.items.length);
  return anyList(sortValues(list.items, { keyOf: (item) => item, descending: order === "desc", budget }));
}
