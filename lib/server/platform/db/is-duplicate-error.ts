import { innerErrors } from "#lib/server/platform/db/inner-errors.ts";

/** Returns whether the database refused a row because another one has its key (SQLSTATE 23505). */
export function isDuplicateError(error: unknown): boolean {
  return innerErrors(error).some(({ code }) => code === "23505");
}
