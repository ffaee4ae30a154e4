import type { Budget } from "./budget.ts";
import { edge, listBuiltins } from "./builtins-list.ts";
import { median } from "./builtins-math.ts";
import { assertString, convertToInt, kindName, toInt } from "./conversion.ts";
import { runtimeError } from "./errors.ts";
import type { Builtin } from "./frame.ts";
import { wrapInt } from "./go-number.ts";
import { goQuote } from "./go-quote.ts";
import { anyList, GoInteger, GoList, GoMap, GoStruct, type GoValue, typeName } from "./go-value.ts";
import { fetch } from "./runtime-access.ts";
import { compare } from "./runtime-operators.ts";
import { byteLength } from "./search-text.ts";
import { sortValues } from "./sort.ts";

/** The builtins whose results differ in expr v1.15.5 (builtin/builtin.go, builtin/func.go, builtin/sort.go). */
export const olderBuiltins: Readonly<Record<string, Builtin>> = {
  /** The length of a text is that of its bytes. */
  len: (args, frame) => {
    const [value] = args;
    return typeof value === "string" ? BigInt(byteLength(value)) : (listBuiltins.len?.(args, frame) ?? null);
  },
  int: ([value = null], { budget }) => (typeof value === "string" ? convertToInt(value, budget) : toInt(value)),
  max: (args, { budget }) => extreme("<", args, budget),
  min: (args, { budget }) => extreme(">", args, budget),
  sum: ([list = null], { budget }) =>
    numbersOf("sum", list, budget).reduce<bigint | number>(
      (total, value) =>
        typeof total === "bigint" && typeof value === "bigint" ? wrapInt(total + value) : Number(total) + Number(value),
      0n,
    ),
  mean: ([list = null], { budget }) => {
    const numbers = numbersOf("mean", list, budget).map(Number);
    return numbers.length === 0 ? 0 : numbers.reduce((total, value) => total + value, 0) / numbers.length;
  },
  median: ([list = null], { budget }) => median(numbersOf("median", list, budget).map(Number)),
  get: ([from = null, key = null], { budget }) => edge(from, key, budget),
  sort: ([list = null, order], { budget }) => sort({ list, field: "", order, budget }),
  sortBy: ([list = null, field, order], { budget }) => sort({ list, field: assertString(field), order, budget }),
};

/** Finds the largest or smallest argument; a single argument is returned unchecked. */
function extreme(operator: "<" | ">", args: readonly GoValue[], budget: Budget): GoValue {
  return args.reduce<GoValue>(
    (best, value) => (best === null || compare(operator, best, value, budget) ? value : best),
    null,
  );
}

/** Reads the numbers of a list. Unsigned ones are not accepted. */
function numbersOf(action: string, list: GoValue, budget: Budget): readonly (bigint | number)[] {
  if (!(list instanceof GoList)) throw runtimeError(`cannot ${action} ${kindName(list)}`);
  budget.spend(2 * list.items.length);
  return list.items.map((item) => {
    if (typeof item === "number" || typeof item === "bigint") return item;
    if (item instanceof GoInteger && item.type.kind !== "uint8") return item.value;
    throw runtimeError(`cannot ${action} ${kindName(item)}`);
  });
}

/** Sorts values of one type by themselves, and maps and structs by a field. */
function sort(input: { list: GoValue; field: string; order: GoValue | undefined; budget: Budget }): GoList {
  const { list, field, order = "asc", budget } = input;
  if (!(list instanceof GoList)) throw runtimeError(`cannot sort ${kindName(list)}`);
  if (order !== "asc" && order !== "desc") throw wrongOrder(order);
  budget.allocate(2 * list.items.length);
  const keyed = list.items.map((item) => ({ item, key: keyOf(item, field, budget) }));
  const types = new Set(keyed.map(({ key }) => typeName(key)));
  if (types.size > 1) throw runtimeError(`cannot sort array of different types (${[...types].join(" and ")})`);
  const [first] = keyed;
  if (keyed.length > 1 && !sortableKinds.has(kindName(first?.key ?? null))) {
    throw runtimeError(`sort: unsupported type ${kindName(first?.key ?? null)}`);
  }
  const isDescending = order === "desc";
  return anyList(
    sortValues(keyed, { keyOf: ({ key }) => key, descending: isDescending, budget }).map(({ item }) => item),
  );
}

const sortableKinds: ReadonlySet<string> = new Set(["int", "int64", "float64", "string"]);

function wrongOrder(order: GoValue): Error {
  const expected = typeof order === "string" ? '"asc" or "desc"' : "string";
  const given = typeof order === "string" ? goQuote(order) : typeName(order);
  return runtimeError(`invalid argument for sort (expected ${expected}, got ${given})`);
}

/** Reads the value to sort by. A field that is missing is an error. */
function keyOf(item: GoValue, field: string, budget: Budget): GoValue {
  if (!(item instanceof GoMap) && !(item instanceof GoStruct)) return item;
  if (item instanceof GoMap && !item.entries.has(`s${field}`))
    throw runtimeError("cannot deref <invalid reflect.Value>");
  return fetch(item, field, budget);
}
