import { isConnectionError } from "#lib/server/db/is-connection-error.ts";
import { isUnwritableError } from "#lib/server/db/is-unwritable-error.ts";

/** Whether the database is away or takes no writes, as against an error in what was asked of it. */
export function isDatabaseTrouble(error: unknown): boolean {
  return isConnectionError(error) || isUnwritableError(error);
}
