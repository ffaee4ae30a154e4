import { anySlice, groupMap } from "./go-type.ts";
import {
  anyNature,
  arrayOf,
  boolNature,
  elementOf,
  intNature,
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
