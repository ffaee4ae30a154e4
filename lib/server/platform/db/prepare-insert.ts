import {
  type AliasedExpression,
  type Expression,
  expressionBuilder,
  type Insertable,
  type RawBuilder,
  type Selectable,
  type SqlBool,
  sql,
} from "kysely";
import type { PoolClient, QueryResult } from "pg";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { awaitLater, nameInBatch } from "./in-transaction.ts";
import { startSlices } from "./slices.ts";
import { tableName, tables } from "./tables.ts";

type Table = keyof Tables;
type Column<T extends Table> = Extract<keyof Tables[T], string>;
type Stored<T extends Table> = Selectable<Tables[T]>;
type Value<T extends Table, C> = C extends keyof Stored<T> ? Stored<T>[C] : never;

/** The values that are bound for columns of each type: times in ISO 8601, JSON as text. */
type Bound = {
  text: string;
  uuid: string;
  int4: number;
  int8: number | string;
  float8: number;
  bool: boolean;
  timestamptz: string;
  jsonb: string;
};
type TypeOf<Plain> = [Plain] extends [string]
  ? "text" | "uuid" | "int8"
  : [Plain] extends [number]
    ? "int4" | "float8"
    : [Plain] extends [boolean]
      ? "bool"
      : [Plain] extends [Date]
        ? "timestamptz"
        : "jsonb";
type Columns<T extends Table> = { readonly [C in Column<T>]?: TypeOf<NonNullable<Value<T, C>>> };
/** Columns that are neither nullable nor have a default. */
type Needed<T extends Table> = {
  [C in Column<T>]: undefined extends Insertable<Tables[T]>[C & keyof Insertable<Tables[T]>] ? never : C;
}[Column<T>];
type RowOf<T extends Table, C> = {
  -readonly [Name in keyof C]:
    | (C[Name] extends keyof Bound ? Bound[C[Name]] : never)
    | (null extends Value<T, Name> ? null : never);
};

type Selected<T extends Table> = Column<T> | AliasedExpression<unknown, string>;
/** Rows with the selected columns and expressions. */
export type Returned<T extends Table, S> = {
  [Each in S as Each extends string
    ? Each
    : Each extends AliasedExpression<unknown, infer Alias>
      ? Alias
      : never]: Each extends AliasedExpression<infer Result, string> ? Result : Value<T, Each>;
};

type Conflict<T extends Table> = {
  /** Columns of the unique index. */
  key: readonly Column<T>[];
  /** Columns that stay as they were first stored. If omitted, and so is `set`, the stored row stays as it is. */
  keep?: readonly Column<T>[];
  /** Columns that are computed from the stored row and from `excluded`; all others take the new value. */
  set?: { readonly [C in Column<T>]?: Expression<unknown> };
  /** Rewrites the row only if this is true. */
  when?: Expression<SqlBool>;
};

/**
 * Inserts rows, and returns the selected columns and expressions of each row that was written. If none are selected, or
 * `isAnswerNeeded` is false, it returns no rows, and a batch continues before the answer (`awaitLater`).
 */
export type Insert<Row, Written> = (
  tx: PoolClient,
  rows: readonly Row[],
  options?: { isAnswerNeeded?: boolean },
) => Promise<Written[]>;
/** A row as an insert takes it. */
export type InsertedRow<I extends (tx: PoolClient, rows: never) => unknown> = Parameters<I>[1][number];

/** Rows per statement: building and sending its text blocks the process. */
const maxRows = 2000;

/**
 * Prepares `INSERT ... SELECT unnest(...), ...`: one array per column, for any number of rows. Thousands of rows are cut into
 * several statements, in order. The schema checks the names and types of the columns. The text is built only once.
 */
export function prepareInsert<
  const T extends Table,
  const C extends Columns<T>,
  const S extends readonly Selected<T>[] = readonly [],
>({
  table,
  columns,
  conflict,
  returning,
}: {
  table: T;
  columns: C & { readonly [Missing in Exclude<Needed<T>, keyof C>]: string } & {
    readonly [Other in Exclude<keyof C, Column<T>>]: never;
  };
  conflict?: Conflict<T>;
  returning?: S;
}): Insert<RowOf<T, C>, Returned<T, S[number]>> {
  const types: Readonly<Record<string, keyof Bound>> = columns;
  const text = buildText({ table, types, conflict, returning });
  const parts = toParts(types);
  return (tx, rows, { isAnswerNeeded = returning !== undefined } = {}) =>
    insert<Returned<T, S[number]>>(tx, { text, parts, rows, isAnswerNeeded });
}

/**
 * Prepares a lock of the stored rows that have the keys of given rows, in order. It belongs before an insert into a table
 * with several unique indexes: while another transaction updates a row, the insert may not find it by the index that its
 * conflict names, and would then fail at another one. Returns the selected columns of the rows.
 */
export function prepareLock<
  const T extends Table,
  const C extends Columns<T> & Readonly<Record<string, keyof Bound>>,
  const S extends readonly Column<T>[] = readonly [],
>(table: T, key: C, select?: S): (tx: PoolClient, rows: readonly RowOf<T, C>[]) => Promise<Returned<T, S[number]>[]> {
  const names = listOf(Object.keys(key));
  const selected = select === undefined ? sql`` : listOf(select);
  const { sql: text } = sql`SELECT ${selected} FROM ${tableName(table)}
    WHERE (${names}) IN (SELECT * FROM unnest(${sql.join(arraysOf(key))})) ORDER BY ${names} FOR NO KEY UPDATE`.compile(
    tables,
  );
  const parts = toParts(key);
  return async (tx, rows) => {
    if (rows.length === 0) return [];
    const values = parts.map((part) => arrayLiteral(rows, part));
    const locking = tx.query<Returned<T, S[number]>>({ ...nameInBatch(tx, text), text, values });
    if (select === undefined) await awaitLater(tx, locking);
    return select === undefined ? [] : (await locking).rows;
  };
}

type Part = { name: string; isQuoted: boolean };

function toParts(types: Readonly<Record<string, keyof Bound>>): Part[] {
  return Object.entries(types).map(([name, type]) => ({ name, isQuoted: type === "text" || type === "jsonb" }));
}

/** One array parameter for each column. */
function arraysOf(types: Readonly<Record<string, keyof Bound>>): RawBuilder<unknown>[] {
  return Object.values(types).map((type, index) => sql.raw(`$${index + 1}::${type}[]`));
}

async function insert<Written>(
  tx: PoolClient,
  {
    text,
    parts,
    rows,
    isAnswerNeeded,
  }: {
    text: string;
    parts: readonly Part[];
    rows: readonly Readonly<Record<string, unknown>>[];
    isAnswerNeeded: boolean;
  },
): Promise<Written[]> {
  const written: Written[] = [];
  const slices = startSlices();
  /** While the database runs one statement, the next one is built. */
  let running: Promise<QueryResult> | undefined;
  for (let from = 0; from < rows.length; from += maxRows) {
    const some = rows.length <= maxRows ? rows : rows.slice(from, from + maxRows);
    const values: string[] = [];
    for (const part of parts) {
      if (slices.isOver) await slices.rest();
      values.push(arrayLiteral(some, part));
    }
    if (running !== undefined) written.push(...(await running).rows);
    running = tx.query({ ...nameInBatch(tx, text), text, values });
    // The code that awaits it sees the failure, though maybe only after a rest.
    running.catch(() => {});
  }
  if (running !== undefined && isAnswerNeeded) written.push(...(await running).rows);
  else if (running !== undefined) await awaitLater(tx, running);
  return written;
}

/**
 * Formats PostgreSQL's text form of an array. The driver's own is several times slower, which matters with 25 000 rows.
 */
function arrayLiteral(rows: readonly Readonly<Record<string, unknown>>[], { name, isQuoted }: Part): string {
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

function buildText<T extends Table>({
  table,
  types,
  conflict,
  returning = [],
}: {
  table: T;
  types: Readonly<Record<string, keyof Bound>>;
  conflict: Conflict<T> | undefined;
  returning: readonly Selected<T>[] | undefined;
}): string {
  const names = Object.keys(types);
  // As a table function, unnest would first store each column by itself: a tenth more for a measurement.
  const columns = arraysOf(types).map((array) => sql`unnest(${array})`);
  const statement = sql`INSERT INTO ${tableName(table)} (${listOf(names)})
    SELECT ${sql.join(columns)}
    ${conflict === undefined ? sql`` : onConflict(names, conflict)}
    ${returning.length === 0 ? sql`` : sql`RETURNING ${listOf(returning)}`}`.compile(tables);
  if (statement.parameters.length > 0) throw new Error(`the insert into ${table} binds a value in its fixed text`);
  return statement.sql;
}

function onConflict<T extends Table>(
  names: readonly string[],
  { key, keep, set, when }: Conflict<T>,
): RawBuilder<unknown> {
  if (keep === undefined && set === undefined) return sql`ON CONFLICT (${listOf(key)}) DO NOTHING`;
  const computed = new Map(Object.entries<Expression<unknown> | undefined>(set ?? {}));
  const kept: readonly string[] = [...key, ...(keep ?? []), ...computed.keys()];
  const taken = names
    .filter((name) => !kept.includes(name))
    .map((name) => [name, sql.ref(`excluded.${name}`)] as const);
  const changes = [...taken, ...computed].map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const condition = when === undefined ? sql`` : sql`WHERE ${when}`;
  return sql`ON CONFLICT (${listOf(key)}) DO UPDATE SET ${sql.join(changes)} ${condition}`;
}

function listOf(columns: readonly (string | AliasedExpression<unknown, string>)[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => (typeof column === "string" ? sql.ref(column) : column)));
}

/** Tables that have all these columns. */
export type TableWith<Names extends string> = {
  [T in Table]: [Names] extends [keyof Tables[T]] ? T : never;
}[Table];

/**
 * Returns a condition: true if the row to be inserted is not older than the stored one, by the source's version order.
 */
export function notOlder(table: TableWith<"resource_version">): RawBuilder<SqlBool> {
  const [stored, fresh] = [sql.ref(`${table}.resource_version`), sql.ref("excluded.resource_version")];
  return sql`CASE WHEN ${stored} ~ '^[0-9]+$' AND ${fresh} ~ '^[0-9]+$'
    THEN ${fresh}::numeric >= ${stored}::numeric ELSE true END`;
}

function isSameVersion(table: TableWith<"resource_version" | "presence">) {
  const eb = expressionBuilder();
  return eb.and(
    ["resource_version", "presence"].map((column) =>
      eb(sql.ref(`${table}.${column}`), "=", sql.ref(`excluded.${column}`)),
    ),
  );
}

/**
 * Computes `updated_at`: unchanged unless the object changed. Seeing the same version again, say after a restart, is not
 * a change.
 */
export function timeOfChange(table: TableWith<"resource_version" | "presence" | "updated_at">): Expression<unknown> {
  return expressionBuilder()
    .case()
    .when(isSameVersion(table))
    .then(sql.ref(`${table}.updated_at`))
    .else(sql.ref("excluded.updated_at"))
    .end();
}

/**
 * Returns a condition: true if the row to be inserted has another version that is not older. For rows that are
 * otherwise not worth a rewrite.
 */
export function isNews(table: TableWith<"resource_version" | "presence">): Expression<SqlBool> {
  const { and, not } = expressionBuilder();
  return and([notOlder(table), not(isSameVersion(table))]);
}

/** Returns a condition: true if the row to be inserted differs from the stored one in any of the columns. */
export function differs<T extends Table>(table: T, columns: readonly Column<T>[]): RawBuilder<SqlBool> {
  const of = (row: string): RawBuilder<unknown> => sql.join(columns.map((column) => sql.ref(`${row}.${column}`)));
  return sql`(${of(table)}) IS DISTINCT FROM (${of("excluded")})`;
}
