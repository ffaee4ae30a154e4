import { type FindingSeverity, findingSeverities } from "#lib/domain/oversight/rule.ts";

/** Returns whether a severity is this one or a higher one. */
export function isAtLeast(severity: FindingSeverity, least: FindingSeverity): boolean {
  return rankOf(severity) >= rankOf(least);
}

export function rankOf(severity: FindingSeverity): number {
  return findingSeverities.indexOf(severity);
}

/** Returns the highest of these; `info` for an empty list. */
export function highestOf(severities: readonly FindingSeverity[]): FindingSeverity {
  return findingSeverities.findLast((severity) => severities.includes(severity)) ?? "info";
}
