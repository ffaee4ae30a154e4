import { createHash, randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { projectRoot } from "#lib/server/platform/config/program-files.ts";
import { isDatabaseError } from "#lib/server/platform/db/run-query.ts";
import { describeServed, servedCommentSql } from "#lib/server/platform/db/served-schema.ts";
import { planMigrations, type RecordedMigration } from "./plan-migrations.ts";
import { servedFrom } from "./releases.ts";

/** Arbitrary, but it must never change: two launchers that migrate one database wait for each other on it. */
const advisoryLockKey = "7310871350721301842";

/** Prisma's own table (prisma-engines, sql-schema-connector), so that its CLI still understands the database. */
const createTable = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

export type MigrateOptions = {
  /** Connection of the owner role. */
  url: string;
  /** Folder of migrations; default: those of this program. */
  dir?: string;
  log?: (line: string) => void;
};

/**
 * Applies the pending migrations, each file whole in one transaction, and returns their names. Throws a one-line error
 * and changes nothing if the database is not UTF-8, has a migration unknown to this program, or has a recorded checksum
 * that differs from the file's. Applies nothing to the schema of a later release that serves this program.
 */
export async function migrate({ url, dir, log = () => {} }: MigrateOptions): Promise<string[]> {
  const known = readMigrationFiles(dir);
  return withClient(url, async (client) => {
    await assertUtf8(client);
    await client.query("SELECT pg_advisory_lock($1)", [advisoryLockKey]);
    try {
      // Checks before CREATE: a role without the right to create may still run against an up-to-date database.
      if (!(await hasTable(client))) await client.query(createTable);
      const plan = planMigrations({ ...(await readRecorded(client)), known });
      if (plan.kind === "refuse") throw new Error(plan.message);
      if (plan.kind === "newer") return [];
      for (const migration of plan.pending) {
        await applyOne(client, migration);
        log(`applied migration ${migration.name}`);
      }
      if (plan.pending.length > 0) {
        await letRolesReadState(client);
        const newest = known.at(-1)?.name ?? "";
        const comment = client.escapeLiteral(describeServed({ newest, from: servedFrom }));
        await client.query(`COMMENT ON TABLE "_prisma_migrations" IS ${comment}`);
      }
      return plan.pending.map((migration) => migration.name);
    } finally {
      await client.query("SELECT pg_advisory_unlock($1)", [advisoryLockKey]).catch(() => {});
    }
  });
}

export type SchemaState =
  | { kind: "current"; version: string }
  | { kind: "newer"; version: string }
  | { kind: "pending"; pending: string[] }
  | { kind: "refused"; message: string };

/**
 * Returns whether the database's schema is the one this program was built for, or a newer one that serves it; changes
 * nothing. Throws if unreachable.
 */
export async function readSchemaState({ url, dir }: { url: string; dir?: string }): Promise<SchemaState> {
  const known = readMigrationFiles(dir);
  return withClient(url, async (client) => {
    const encoding = await readEncoding(client);
    if (encoding !== "UTF8") return { kind: "refused", message: encodingMessage(encoding) };
    const recorded = (await hasTable(client)) ? await readRecorded(client) : { recorded: [] };
    const plan = planMigrations({ ...recorded, known });
    if (plan.kind === "refuse") return { kind: "refused", message: plan.message };
    if (plan.kind === "newer") return plan;
    if (plan.pending.length > 0) return { kind: "pending", pending: plan.pending.map((migration) => migration.name) };
    return { kind: "current", version: known.at(-1)?.name ?? "" };
  });
}

/**
 * Grants read access: web and recorder refuse to run on a schema that does not match, so they must be able to check.
 */
async function letRolesReadState(client: pg.Client): Promise<void> {
  for (const role of ["gatehouse_recorder", "gatehouse_web"]) {
    const { rowCount } = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
    if (rowCount !== 0) await client.query(`GRANT SELECT ON "_prisma_migrations" TO ${client.escapeIdentifier(role)}`);
  }
}

async function applyOne(client: pg.Client, migration: MigrationFile): Promise<void> {
  await client.query("BEGIN");
  try {
    // Without parameters, the simple protocol takes the whole file, `$$` bodies included, as one script.
    await client.query(migration.sql);
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), migration.checksum, migration.name],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw new Error(`migration ${migration.name} failed and was rolled back: ${reasonOf(error, migration.sql)}`);
  }
}

function reasonOf(error: unknown, sql: string): string {
  if (!isDatabaseError(error)) return String(error);
  const position = Number(error.position);
  const line = position > 0 ? ` (line ${sql.slice(0, position).split("\n").length})` : "";
  return `${error.message}${line}`;
}

async function hasTable(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS found`,
  );
  return rows[0]?.found === true;
}

async function readRecorded(client: pg.Client): Promise<{ recorded: RecordedMigration[]; comment: string | null }> {
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished: boolean }>(
    `SELECT migration_name, checksum, finished_at IS NOT NULL AS finished FROM "_prisma_migrations"
     WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  );
  const recorded = rows.map((row) => ({ name: row.migration_name, checksum: row.checksum, isFinished: row.finished }));
  const served = await client.query<{ comment: string | null }>(servedCommentSql);
  return { recorded, comment: served.rows[0]?.comment ?? null };
}

async function readEncoding(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ encoding: string }>(
    "SELECT pg_encoding_to_char(encoding) AS encoding FROM pg_database WHERE datname = current_database()",
  );
  return rows[0]?.encoding ?? "unknown";
}

async function assertUtf8(client: pg.Client): Promise<void> {
  const encoding = await readEncoding(client);
  if (encoding !== "UTF8") throw new Error(encodingMessage(encoding));
}

function encodingMessage(encoding: string): string {
  return `the database's encoding is ${encoding}, Gatehouse needs UTF8: create it with ENCODING 'UTF8' TEMPLATE template0`;
}

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 4000 });
  // Without a listener, a connection that breaks between two queries would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`cannot connect to the database at ${placeOf(url)}: ${messageOf(error)}`);
  }
  try {
    return await use(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Returns host, port and database of a connection string, without its credentials. */
function placeOf(url: string): string {
  if (!URL.canParse(url)) return "the configured address (not a valid URL)";
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(String).join("; ");
  return error instanceof Error ? error.message : String(error);
}

type MigrationFile = { name: string; sql: string; checksum: string };

/** The migrations of this program, in the order in which they apply (their names begin with a UTC time). */
const migrationsDirectory = join(projectRoot, "prisma/migrations");

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
