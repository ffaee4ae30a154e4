import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type MigrationFile = { name: string; sql: string; checksum: string };

/** The migrations of this program, in the order in which they apply (their names begin with a UTC time). */
export const migrationsDirectory = join(import.meta.dirname, "../../../../../prisma/migrations");

/** Reads `<dir>/<name>/migration.sql` for all names, sorted; the checksum is Prisma's: hex SHA-256 of the file. */
export function readMigrationFiles(dir: string = migrationsDirectory): MigrationFile[] {
  const names = readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(dir, entry.name, "migration.sql")))
    .map((entry) => entry.name)
    .sort();
  if (names.length === 0) throw new Error(`no migrations found in ${dir}`);
  return names.map((name) => {
    const bytes = readFileSync(join(dir, name, "migration.sql"));
    return { name, sql: bytes.toString("utf8"), checksum: createHash("sha256").update(bytes).digest("hex") };
  });
}
