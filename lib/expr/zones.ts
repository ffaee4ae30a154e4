import type { GoTime } from "./go-value.ts";

/**
 * Formatters by zone: creating one takes as long as using it fifty times. There are about six hundred zones, which
 * limits the table; names that differ only in case share a zone.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();
const longestName = 64;

/** Converts an instant to a zone of the runtime's database; returns undefined for an unknown name. */
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

/** Returns true for a zone whose offset must be looked up. */
export function isNamedZone(zone: GoTime["zone"]): zone is string {
  return typeof zone === "string" && zone !== "" && zone !== "UTC" && zone !== "Local";
}

/** Steps that one use of a zone costs, whether its formatter exists already or not. */
export const zoneSteps = 100;
