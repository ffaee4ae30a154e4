import type { DatabaseError } from "pg";

/**
 * Returns whether the database itself answered with this error. Checks fields instead of the class, because a second
 * copy of the driver has another class. The severity distinguishes a SQLSTATE from a system code such as `EPIPE`.
 */
export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "severity" in error && "code" in error && typeof error.code === "string";
}
