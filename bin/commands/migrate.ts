import { readEnvironment, readNamedVariable } from "#lib/server/config/environment.ts";
import { migrate } from "#lib/server/db/migrate/migrate.ts";
import { CommandError, parseFlags } from "../command-line.ts";

/**
 * Runs `gatehouse migrate`: migrates the database of DATABASE_MIGRATE_URL (or DATABASE_URL) to this version's schema.
 */
export async function runMigrate(args: string[]): Promise<number> {
  parseFlags(args, {});
  const url = readNamedVariable("DATABASE_MIGRATE_URL") ?? readEnvironment().databaseUrl;
  if (url === undefined) throw new CommandError("DATABASE_MIGRATE_URL is not set: give the owner's connection");
  const applied = await migrate({ url });
  process.stdout.write(applied.length === 0 ? "up to date\n" : `applied ${applied.join(", ")}\n`);
  return 0;
}
