import { servesProgram } from "#lib/server/platform/db/served-schema.ts";

export type RecordedMigration = { name: string; checksum: string; isFinished: boolean };
export type KnownMigration = { name: string; checksum: string };

export type MigrationPlan<Known extends KnownMigration> =
  | { kind: "apply"; pending: Known[] }
  | { kind: "newer"; version: string }
  | { kind: "refuse"; reason: "newer-schema" | "changed-migration" | "unfinished-migration"; message: string };

/**
 * Compares the migrations recorded in the database with those of this program; both are ordered by name. `comment` is
 * the one on the table of migrations. The plan is `newer` if a later release migrated it and its schema serves this one.
 */
export function planMigrations<Known extends KnownMigration>({
  recorded,
  known,
  comment,
}: {
  recorded: RecordedMigration[];
  known: Known[];
  comment?: string | null;
}): MigrationPlan<Known> {
  const names = known.map(({ name }) => name);
  const foreign = recorded.filter(({ name }) => !names.includes(name)).map(({ name }) => name);
  const isServed = servesProgram({ known: names, foreign, comment });
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const row of recorded) {
    const file = byName.get(row.name);
    if (file === undefined) {
      if (isServed && row.isFinished) continue;
      return {
        kind: "refuse",
        reason: "newer-schema",
        message: `the database has the migration ${row.name}, which this version of Gatehouse does not know: run the newer version that made it`,
      };
    }
    if (!row.isFinished) {
      return {
        kind: "refuse",
        reason: "unfinished-migration",
        message: `the migration ${row.name} is recorded as begun but not finished: repair the schema, then set its row in _prisma_migrations to finished or delete it`,
      };
    }
    if (file.checksum !== row.checksum) {
      return {
        kind: "refuse",
        reason: "changed-migration",
        message: `the migration ${row.name} was changed after it was applied (checksum ${file.checksum.slice(0, 12)}, recorded ${row.checksum.slice(0, 12)}): restore the file as it was`,
      };
    }
  }
  const applied = new Set(recorded.map((row) => row.name));
  const pending = known.filter((migration) => !applied.has(migration.name));
  const newest = foreign.at(-1);
  if (newest === undefined) return { kind: "apply", pending };
  if (pending.length === 0) return { kind: "newer", version: newest };
  return {
    kind: "refuse",
    reason: "newer-schema",
    message: `the database has the migration ${newest}, which this version of Gatehouse does not know, and lacks ${pending[0]?.name}: run the newer version that made it`,
  };
}
