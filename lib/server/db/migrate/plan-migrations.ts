export type RecordedMigration = { name: string; checksum: string; isFinished: boolean };
export type KnownMigration = { name: string; checksum: string };

export type MigrationPlan<Known extends KnownMigration> =
  | { kind: "apply"; pending: Known[] }
  | { kind: "refuse"; reason: "newer-schema" | "changed-migration" | "unfinished-migration"; message: string };

/** Compares the migrations recorded in the database with those of this program; both are ordered by name. */
export function planMigrations<Known extends KnownMigration>({
  recorded,
  known,
}: {
  recorded: RecordedMigration[];
  known: Known[];
}): MigrationPlan<Known> {
  const byName = new Map(known.map((migration) => [migration.name, migration]));
  for (const row of recorded) {
    const file = byName.get(row.name);
    if (file === undefined) {
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
  return { kind: "apply", pending: known.filter((migration) => !applied.has(migration.name)) };
}
