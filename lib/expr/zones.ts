import type { GoTime } from "./go-value.ts";

/**
 * Formatters by zone: making one takes as long as fifty uses of it. There are some six hundred zones, which bounds the
 * table; names differ in their case only.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();
const longestName = 64;

/** Shows an instant in a zone of the runtime's database, or undefined for a name that it does not know. */
export function zoneFormatter(name: string): Intl.DateTimeFormat | undefined {
  if (name.length > longestName || !/^[A-Za-z]/.test(name)) return undefined;
  const key = name.toLowerCase();
  const known = formatters.get(key);
  if (known !== undefined) return known;
  try {
    const formatter = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formatters.set(key, formatter);
    return formatter;
  } catch {
    return undefined;
  }
}

/** True for a zone whose offset must be looked up. */
export function isNamedZone(zone: GoTime["zone"]): zone is string {
  return typeof zone === "string" && zone !== "" && zone !== "UTC" && zone !== "Local";
}

/** Steps that one use of a zone takes, whether its formatter is there already or not. */
export const zoneSteps = 100;
