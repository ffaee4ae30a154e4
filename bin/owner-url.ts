import { readEnvironment, readNamedVariable } from "#lib/server/platform/config/environment.ts";
import { CommandError } from "./command-line.ts";

/**
 * Returns the owner's connection: DATABASE_MIGRATE_URL, else DATABASE_DIRECT_URL, else DATABASE_URL. Throws a one-line
 * error if none is set.
 */
export function readOwnerUrl(): string {
  const url = readNamedVariable("DATABASE_MIGRATE_URL") ?? readEnvironment().databaseDirectUrl;
  if (url === undefined || url === "")
    throw new CommandError("DATABASE_MIGRATE_URL is not set: give the owner's connection");
  return url;
}
