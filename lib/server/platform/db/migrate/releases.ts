/**
 * The last migration of each release, oldest first. `test/fixtures/releases` has the schema and a small database of each.
 * A line is added when a release is made, and never changed (docs/adr/0015).
 */
export const releases = [
  { version: "0.1.0", lastMigration: "20261123001000_samples" },
  { version: "0.2.0", lastMigration: "20261126210000_keys_by_rollout" },
] as const satisfies readonly { version: string; lastMigration: string }[];

/** Migrations after this one must not break programs that end with it (`scripts/migration-compatibility.mjs`). */
export const servedFrom: string = releases.at(-1)?.lastMigration ?? "";
