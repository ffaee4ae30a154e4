import { anyList, type GoValue, stringKeyedMap } from "./go-value.ts";

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
