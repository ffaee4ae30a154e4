import type { PoolClient, QueryResult, QueryResultRow } from "pg";
import { startSlices } from "./slices.ts";

type ColumnType = "text" | "uuid" | "int4" | "int8" | "float8" | "bool" | "timestamptz" | "jsonb";
export type Columns<Row> = { readonly [Key in keyof Row]: ColumnType };
type InsertOptions<Row> = { table: string; columns: Columns<Row>; rows: readonly Row[]; onConflict: string };

/** Rows per statement: building and sending its text blocks the process. */
const maxRows = 2000;

/**
 * Inserts rows with `INSERT ... SELECT unnest(...)`: one array per column, for any number of rows. Thousands of rows
 * are cut into several statements, in order. `onConflict` is the rest of the statement. The keys of `columns` are the
 * table's column names. Returns the number of rows written.
 */
export async function insertRows<Row extends Record<string, unknown>>(
  tx: PoolClient,
  options: InsertOptions<Row>,
): Promise<number> {
  const results = await insert(tx, options);
  return results.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0);
}

/**
 * Inserts rows like `insertRows`, and returns the columns in `returning` of each row written. Skipped rows are left
 * out.
 */
export async function insertReturning<Returned extends QueryResultRow, Row extends Record<string, unknown>>(
  tx: PoolClient,
  { returning, ...options }: InsertOptions<Row> & { returning: string },
): Promise<Returned[]> {
  const onConflict = `${options.onConflict} RETURNING ${returning}`;
  return (await insert<Row, Returned>(tx, { ...options, onConflict })).flatMap(({ rows }) => rows);
}

async function insert<Row extends Record<string, unknown>, Returned extends QueryResultRow>(
  tx: PoolClient,
  { table, columns, rows, onConflict }: InsertOptions<Row>,
): Promise<QueryResult<Returned>[]> {
  const names = Object.keys(columns);
  const arrays = names.map((name, index) => `$${index + 1}::${columns[name]}[]`);
  const list = names.map((name) => `"${name}"`).join(", ");
  const sql = `INSERT INTO "${table}" (${list}) SELECT * FROM unnest(${arrays.join(", ")}) ${onConflict}`;
  const results: QueryResult<Returned>[] = [];
  const slices = startSlices();
  /** While the database runs one statement, the next one is built. */
  let running: Promise<QueryResult<Returned>> | undefined;
  for (let from = 0; from < rows.length; from += maxRows) {
    const part = rows.length <= maxRows ? rows : rows.slice(from, from + maxRows);
    const values: string[] = [];
    for (const name of names) {
      if (slices.isOver) await slices.rest();
      values.push(arrayLiteral(part, name, columns[name] === "text" || columns[name] === "jsonb"));
    }
    if (running !== undefined) results.push(await running);
    running = tx.query<Returned>(sql, values);
    // The code that awaits it sees the failure, though maybe only after a rest.
    running.catch(() => {});
  }
  if (running !== undefined) results.push(await running);
  return results;
}

/**
 * Formats PostgreSQL's text form of an array. The driver's own is several times slower, which matters with 25 000 rows.
 */
function arrayLiteral(rows: readonly Record<string, unknown>[], name: string, isQuoted: boolean): string {
  const parts = rows.map((row) => {
    const value = row[name];
    if (value === null || value === undefined) return "NULL";
    return isQuoted ? quoteElement(String(value)) : String(value);
  });
  return `{${parts.join(",")}}`;
}

const special = /["\\]/;

function quoteElement(text: string): string {
  return special.test(text) ? `"${text.replaceAll(/["\\]/g, "\\$&")}"` : `"${text}"`;
}

/** Returns the `SET` part that takes every column from the row to be inserted. */
export function overwrite(columns: Readonly<Record<string, ColumnType>>, except: readonly string[]): string {
  return Object.keys(columns)
    .filter((name) => !except.includes(name))
    .map((name) => `"${name}" = EXCLUDED."${name}"`)
    .join(", ");
}

/**
 * Returns a condition: true if the row to be inserted is not older than the stored one, by the source's version order.
 */
export function notOlder(table: string): string {
  const digits = "'^[0-9]+$'";
  return `CASE WHEN "${table}".resource_version ~ ${digits} AND EXCLUDED.resource_version ~ ${digits}
    THEN EXCLUDED.resource_version::numeric >= "${table}".resource_version::numeric ELSE true END`;
}

const isSameVersion = (table: string): string =>
  `"${table}".resource_version = EXCLUDED.resource_version AND "${table}".presence = EXCLUDED.presence`;

/**
 * Keeps `updated_at` unless the object changed: seeing the same version again, say after a restart, is not a change.
 */
export function keepTimeOfSame(table: string): string {
  return `updated_at = CASE WHEN ${isSameVersion(table)} THEN "${table}".updated_at ELSE EXCLUDED.updated_at END`;
}

/**
 * Returns a condition: true if the row to be inserted has another version that is not older. For rows that are
 * otherwise not worth a rewrite.
 */
export function isNews(table: string): string {
  return `${notOlder(table)} AND NOT (${isSameVersion(table)})`;
}
