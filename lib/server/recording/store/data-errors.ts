import { innerErrors } from "#lib/server/platform/db/database-errors.ts";

/**
 * Returns whether the rows themselves are at fault, so that a retry is useless. These are classes 21 (cardinality), 22
 * (data), 23 (constraints) and 54 (limits, such as a name too long for an index). Errors of our own code in handling an
 * object, or its stored state, count too.
 */
export function isDataError(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return true;
  if (!(error instanceof Error)) return false;
  if (error.name === "ZodError") return true;
  return innerErrors(error).some(({ code }) => /^(21|22|23|54)...$/.test(code));
}
