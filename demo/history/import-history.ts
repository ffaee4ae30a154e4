import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sql } from "kysely";
import pg from "pg";
import { projectRoot } from "#lib/server/platform/config/program-files.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { type Connection, readRow, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { tableName, tables } from "#lib/server/platform/db/tables.ts";
import { type HistoryTable, historyTables, numberedTables } from "./history-tables.ts";
import { digestAgain, linkAgain } from "./link-again.ts";
import { type HistoryRow, type PackedHistory, unpackHistory } from "./pack.ts";
import { daysUntil, shiftTimes } from "./shift-times.ts";

const packedFile = join(projectRoot, "demo/history/six-weeks.json.br");
/** The snapshot from which the sandbox starts, and beside it the mark of a demo that began with the history. */
const snapshotFile = "objects.snapshot.jsonl";
const markFile = "six-weeks";
/** Rows of one statement: their text must not become large. */
const rowsAtOnce = 1000;

type Target = {
  /** The owner's connection. */
  databaseUrl: string;
  /** The sandbox's folder of objects; it must not run yet. */
  objectDirectory: string;
  now: Date;
  /** Whether a new demo begins with the history. */
  hasHistory: boolean;
};

/** Where the history of a demo comes from: this start, its first start, or nowhere. */
export type DemoPast = "imported" | "kept" | "none";

/**
 * Gives a new demo its six weeks of history, moved by whole days to end yesterday: rows of the database in
 * one transaction, and the objects of the sandbox, which goes on with them. The audit chain is linked anew. A demo that
 * has begun before keeps what it began with.
 */
export async function beginDemo({ databaseUrl, objectDirectory, now, hasHistory }: Target): Promise<DemoPast> {
  const mark = join(objectDirectory, markFile);
  const kept = (): DemoPast => (existsSync(mark) ? "kept" : "none");
  if (hasLog(objectDirectory)) return kept();
  const pool = new pg.Pool({ connectionString: databaseUrl, connectionTimeoutMillis: 4000, max: 1 });
  pool.on("error", () => {});
  try {
    if (await hasBegun(pool)) return kept();
    // A first start that was killed may have left objects without rows.
    for (const name of [markFile, snapshotFile]) rmSync(join(objectDirectory, name), { force: true });
    if (!hasHistory) return "none";
    const history = readShifted(now);
    writeObjects(objectDirectory, history.objects);
    writeFileSync(mark, "", { mode: 0o600 });
    await inTransaction(pool, (tx) => insertHistory(tx, history));
    return "imported";
  } finally {
    await pool.end();
  }
}

function hasLog(objectDirectory: string): boolean {
  return existsSync(objectDirectory) && readdirSync(objectDirectory).some((name) => name.includes(".log."));
}

async function hasBegun(connection: Connection): Promise<boolean> {
  const row = await readRow(
    connection,
    tables.selectNoFrom(({ exists, or, selectFrom }) =>
      or([exists(selectFrom("cluster").select("name")), exists(selectFrom("audit_entry").select("seq"))]).as("begun"),
    ),
  );
  return row?.begun !== false;
}

function readShifted(now: Date): PackedHistory {
  const history = unpackHistory(readFileSync(packedFile), (text, endedAt) => shiftTimes(text, daysUntil(now, endedAt)));
  const { rows, digests } = digestAgain(history.rows.evidence ?? []);
  const entries = linkAgain(history.rows.audit_entry ?? [], digests);
  return { ...history, rows: { ...history.rows, evidence: rows, audit_entry: entries } };
}

function writeObjects(directory: string, lines: readonly string[]): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, snapshotFile);
  writeFileSync(`${file}.tmp`, `${lines.join("\n")}\n`, { mode: 0o600 });
  renameSync(`${file}.tmp`, file);
}

async function insertHistory(tx: Connection, { rows }: PackedHistory): Promise<void> {
  await ensurePartitions(tx, rows.measurement ?? []);
  for (const table of historyTables) {
    const list = rows[table] ?? [];
    const columns = await listColumns(tx, table, Object.keys(list[0] ?? {}));
    for (let from = 0; from < list.length; from += rowsAtOnce)
      await insertRows(tx, { table, columns, rows: list.slice(from, from + rowsAtOnce) });
  }
  for (const [table, column] of Object.entries(numberedTables))
    await readRows(
      tx,
      sql`SELECT setval(pg_get_serial_sequence(${table}, ${column}), max(${sql.id(column)})) FROM ${sql.table(table)}`,
    );
  // Without statistics, the first pages would be slow until the database makes some by itself.
  await write(tx, sql`ANALYZE`);
}

/** Returns the columns of the history that the table still has: the schema may be newer. */
async function listColumns(tx: Connection, table: HistoryTable, names: readonly string[]): Promise<string[]> {
  const rows = await readRows(
    tx,
    sql<{ name: string }>`SELECT column_name AS name FROM information_schema.columns
       WHERE table_schema = 'public' AND table_name = ${table} AND column_name = ANY (${names}::text[])`,
  );
  return rows.map(({ name }) => name);
}

/** Of any table: Kysely knows no rows of JSON. */
async function insertRows(
  tx: Connection,
  { table, columns, rows }: { table: HistoryTable; columns: readonly string[]; rows: readonly HistoryRow[] },
): Promise<void> {
  const named = sql.join(columns.map((name) => sql.id(name)));
  const given = sql`json_populate_recordset(NULL::${tableName(table)}, ${JSON.stringify(rows)})`;
  await write(tx, sql`INSERT INTO ${tableName(table)} (${named}) SELECT ${named} FROM ${given}`);
}

async function ensurePartitions(tx: Connection, measurements: readonly HistoryRow[]): Promise<void> {
  const months = new Set(measurements.map(({ started_at: at }) => `${String(at).slice(0, 7)}-01`));
  for (const month of months) await readRows(tx, sql`SELECT ensure_measurement_partition(${month}::date)`);
}
