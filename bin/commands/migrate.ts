import { migrate } from "#lib/server/platform/db/migrate/migrate.ts";
import { parseFlags } from "../command-line.ts";
import { readOwnerUrl } from "../with-database.ts";

/**
 * Runs `gatehouse migrate`: migrates the database of DATABASE_MIGRATE_URL (or DATABASE_URL) to this version's schema.
 */
export async function runMigrate(args: string[]): Promise<number> {
  parseFlags(args, {});
  const applied = await migrate({ url: readOwnerUrl() });
  process.stdout.write(applied.length === 0 ? "up to date\n" : `applied ${applied.join(", ")}\n`);
  return 0;
}
