import type { Measurement, Threshold } from "#lib/contract/analysis-run.ts";

type Valued = Pick<Measurement, "parsed" | "value">;
/** The value that a condition compares: the value itself or the first of a list, or a field of an object. */
type Accessed = { field: string | undefined };

/** Reads an accessor; undefined if it has another scale than the values, such as `len(result)`. */
function readAccessor(accessor: string): Accessed | undefined {
  const inner = /^(?:default\((?<given>[^,()]+),[^,()]+\)|(?:asFloat|asInt|float|int)\((?<cast>[^()]+)\))$/.exec(
    accessor,
  )?.groups;
  const text = inner?.given ?? inner?.cast ?? accessor;
  const found = /^result(?:\[0\])*(?:\.(?<name>[A-Za-z_]\w*)|\["(?<quoted>[^"\\]+)"\])?$/.exec(text);
  return found === null ? undefined : { field: found.groups?.name ?? found.groups?.quoted };
}

/**
 * Finds the field that a chart plots of values that are objects: the first one that has a limit. Undefined: the values
 * themselves.
 */
export function findPlottedField(
  thresholds: readonly Pick<Threshold, "accessor">[],
  measurements: readonly Valued[],
): string | undefined {
  const accessed = thresholds.flatMap(({ accessor }) => readAccessor(accessor) ?? []);
  const field = accessed[0]?.field;
  if (accessed.some((each) => each.field === undefined)) return undefined;
  return measurements.some((measurement) => plottedNumber(measurement, field) !== undefined) ? field : undefined;
}

/** Returns whether a condition tests the plotted value. Limits on other values are described in words only. */
export function isPlottedAccessor(accessor: string, field: string | undefined): boolean {
  const accessed = readAccessor(accessor);
  return accessed !== undefined && accessed.field === field;
}

/** Returns the number that is plotted for a measurement; undefined if it has none. */
export function plottedNumber({ parsed, value }: Valued, field: string | undefined): number | undefined {
  if (field === undefined) return parsed.number;
  try {
    const result: unknown = JSON.parse(value ?? "");
    const object: unknown = Array.isArray(result) ? result[0] : result;
    if (typeof object !== "object" || object === null || !Object.hasOwn(object, field)) return undefined;
    const number = (object as Record<string, unknown>)[field];
    return typeof number === "number" ? number : undefined;
  } catch {
    return undefined;
  }
}
