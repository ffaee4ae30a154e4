import { innerErrors } from "#lib/server/platform/db/inner-errors.ts";

/**
 * 25006: the server is a standby, or read-only by a setting. 53100: its disk is full; 58030: it could not write a file.
 * All persist until an operator intervenes, while reads keep working.
 */
const sqlStates = new Set(["25006", "53100", "58030"]);

/** Returns whether the database answers but refuses writes. */
export function isUnwritableError(error: unknown): boolean {
  return error instanceof Error && innerErrors(error).some(({ code }) => sqlStates.has(code));
}
