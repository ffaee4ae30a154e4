import type { DatabaseError } from "pg";

/**
 * Whether the database itself answered with this error. Known by its fields and not by its class, which a second copy
 * of the driver would have again. The severity tells a SQLSTATE from a system code such as `EPIPE`.
 */
export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "severity" in error && "code" in error && typeof error.code === "string";
}
