import { existsSync } from "node:fs";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { countTables, readServerMajor } from "#lib/server/platform/db/examine-database.ts";
import { readSchemaState } from "#lib/server/platform/db/migrate/migrate.ts";
import { CommandError, parseFlags, UsageError } from "../command-line.ts";
import { assertTool, runTool } from "../postgres-tools.ts";
import { readOwnerUrl, withDatabase } from "../with-database.ts";

/**
 * Runs `gatehouse restore --file FILE`: restores a backup into an empty database with `pg_restore`, all or nothing, and
 * verifies the restored audit chain.
 */
export async function runRestore(args: string[]): Promise<number> {
  const flags = parseFlags(args, { file: { type: "string" }, "pg-restore": { type: "string" } });
  const { file, "pg-restore": program = "pg_restore" } = flags;
  if (file === undefined) throw new UsageError("--file is missing: the backup to restore");
  if (!existsSync(file)) throw new CommandError(`${file} does not exist`);
  const url = readOwnerUrl();
  const { serverMajor, tables } = await withDatabase(
    async (pool) => ({ serverMajor: await readServerMajor(pool), tables: await countTables(pool) }),
    { url },
  );
  if (tables > 0)
    throw new CommandError(
      `the database has ${tables} tables, and a backup is restored only into an empty one: create a new database (CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0) and name it in DATABASE_MIGRATE_URL`,
    );
  await assertTool({ program, flag: "--pg-restore", serverMajor });
  await runTool({ program, args: ["--single-transaction", "--no-owner", file], databaseUrl: url }).catch(explain);

  const schema = await readSchemaState({ url });
  if (schema.kind === "refused") throw new CommandError(`restored, but ${schema.message}`);
  const verdict = await withDatabase((pool) => verifyAudit({ client: pool }), { url });
  if (!verdict.ok)
    throw new CommandError(
      `restored, but the audit chain is broken at ${verdict.brokenAt}: ${verdict.reason}; this backup is not what was written, use another one`,
    );
  const migrate = schema.kind === "pending" ? "; its schema is older: run gatehouse migrate" : "";
  process.stdout.write(`restored ${file}; the audit chain is ok, ${verdict.entries} entries${migrate}\n`);
  return 0;
}

/** Explains a missing role: a backup contains the rights of two roles, but not the roles. */
function explain(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error);
  const role = /role "(gatehouse_\w+)" does not exist/.exec(message)?.[1];
  if (role === undefined) throw error;
  throw new CommandError(
    `the server has no role ${role}: create gatehouse_web and gatehouse_recorder first (CREATE ROLE ... LOGIN PASSWORD '...'), then restore again; nothing was changed`,
  );
}
