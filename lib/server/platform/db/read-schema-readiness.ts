import { existsSync, readdirSync } from "node:fs";
import type { Pool } from "pg";
import { servedCommentSql, servesProgram } from "./served-schema.ts";

/** `isNewer`: a later version of the program has migrated the database; waiting will not make it match. */
export type SchemaReadiness = { ok: true } | { ok: false; isNewer: boolean; reason: string };

/** Returns names of the migrations that this program was built for. Read once, when the process starts. */
export function listKnownMigrations(directory: string): string[] {
  if (!existsSync(directory))
    throw new Error(`no migrations found in ${directory}: start Gatehouse from its own folder`);
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

/**
 * Returns whether the database has the schema of this program, or that of a later release that serves it. Throws if the
 * database is unreachable.
 */
export async function readSchemaReadiness({
  pool,
  known,
}: {
  pool: Pool;
  known: readonly string[];
}): Promise<SchemaReadiness> {
  const { rows: found } = await pool.query<{ present: boolean }>(
    `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS present`,
  );
  if (found[0]?.present !== true)
    return { ok: false, isNewer: false, reason: "the database is empty: run gatehouse migrate" };
  const { rows } = await pool.query<{ name: string }>(
    `SELECT migration_name AS name FROM "_prisma_migrations" WHERE rolled_back_at IS NULL AND finished_at IS NOT NULL`,
  );
  const recorded = new Set(rows.map((row) => row.name));
  const pending = known.filter((name) => !recorded.has(name));
  const foreign = [...recorded].filter((name) => !known.includes(name));
  if (foreign.length > 0 && !(await isServed({ pool, known, foreign })))
    return { ok: false, isNewer: true, reason: `the schema is newer than this program (${foreign[0]})` };
  if (pending.length > 0)
    return { ok: false, isNewer: false, reason: `migrations are pending (${pending[0]}): run gatehouse migrate` };
  return { ok: true };
}

async function isServed({ pool, ...schema }: { pool: Pool; known: readonly string[]; foreign: readonly string[] }) {
  const { rows } = await pool.query<{ comment: string | null }>(servedCommentSql);
  return servesProgram({ ...schema, comment: rows[0]?.comment });
}
