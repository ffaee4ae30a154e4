import { isConnectionError } from "#lib/server/platform/db/is-connection-error.ts";
import { isUnwritableError } from "#lib/server/platform/db/is-unwritable-error.ts";

/** Returns whether the database is down or refuses writes, as opposed to an error in the request. */
export function isDatabaseTrouble(error: unknown): boolean {
  return isConnectionError(error) || isUnwritableError(error);
}
