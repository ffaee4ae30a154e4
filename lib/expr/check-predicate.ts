import type { MemberNode } from "./ast.ts";
import { anySlice, anyType, groupMap } from "./go-type.ts";
import {
  anyNature,
  arrayOf,
  boolNature,
  deref,
  describeNature,
  elementOf,
  intNature,
  isAssignable,
  isIntegerNature,
  isListNature,
  isUnknown,
  type Nature,
  natureOf,
  unknown,
} from "./nature.ts";

/** Builtins whose predicate must return a bool. */
export const booleanPredicates: ReadonlySet<string> = new Set(
  "all none any one filter count find findLast findIndex findLastIndex".split(" "),
);

/** Returns the variables that a predicate sees in addition to its element. */
export function predicateVariables(name: string): Readonly<Record<string, Nature>> {
  if (name === "map") return { index: intNature };
  return name === "reduce" ? { index: intNature, acc: unknown } : {};
}

/** Returns the type of a builtin with a predicate. */
export function predicateResult(name: string, collection: Nature, returns: Nature): Nature {
  switch (name) {
    case "filter":
      return isUnknown(collection) ? natureOf(anySlice) : arrayOf(elementOf(collection));
    case "map":
      return arrayOf(returns);
    case "count":
    case "findIndex":
    case "findLastIndex":
      return intNature;
    case "sum":
      return isUnknown(returns) ? anyNature : { type: returns.type };
    case "find":
    case "findLast":
      return elementOf(collection);
    case "groupBy":
      return natureOf(groupMap);
    case "sortBy":
      return collection;
    case "reduce":
      return returns;
    default:
      return boolNature;
  }
}

/** The type of an element or field, or upstream's error and the node it belongs to. */
type ElementNature = { readonly nature: Nature } | { readonly error: string; readonly at: "node" | "property" };

/**
 * Returns the type of `base.name` or `base[selector]` for a base of known type (expr checker/checker.go `memberNode`).
 */
export function elementNature(node: MemberNode, base: Nature, selector: Nature): ElementNature {
  if (base.type?.kind === "map") {
    const key = natureOf(base.type.key ?? anyType);
    const fits = isAssignable(selector, key) || isAssignable(deref(selector), key) || isUnknown(selector);
    if (fits) return { nature: elementOf(base) };
    const error = `cannot use ${describeNature(selector)} to get an element from ${describeNature(base)}`;
    return { error, at: "property" };
  }
  if (isListNature(base)) {
    const index = deref(selector);
    if (isIntegerNature(index) || isUnknown(index)) return { nature: elementOf(base) };
    const only = "array elements can only be selected using an integer";
    return { error: `${only} (got ${describeNature(index)})`, at: "property" };
  }
  return namedElement(node, base, selector);
}

/** Returns the type of `get(base, key)` (expr checker/checker.go `checkBuiltinGet`). */
export function gotNature(base: Nature, key: Nature): ElementNature {
  if (isUnknown(base)) return { nature: unknown };
  if (isListNature(base)) {
    if (isIntegerNature(key) || isUnknown(key)) return { nature: elementOf(base) };
    return { error: `non-integer slice index ${describeNature(key)}`, at: "property" };
  }
  if (base.type?.kind === "map") {
    if (isAssignable(key, natureOf(base.type.key ?? anyType)) || isUnknown(key)) return { nature: elementOf(base) };
    const error = `cannot use ${describeNature(key)} to get an element from ${describeNature(base)}`;
    return { error, at: "property" };
  }
  return { error: `type ${describeNature(base)} does not support indexing`, at: "node" };
}

function namedElement({ property, isMethod }: MemberNode, base: Nature, selector: Nature): ElementNature {
  if (property.kind !== "string") {
    return { error: `type ${describeNature(base)}[${describeNature(selector)}] is undefined`, at: "node" };
  }
  const field = base.type?.fields?.get(property.value);
  if (field !== undefined) return { nature: natureOf(field) };
  const what = isMethod ? "method" : "field";
  return { error: `type ${describeNature(base)} has no ${what} ${property.value}`, at: "node" };
}
