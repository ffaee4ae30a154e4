import type { Compilable, CompiledQuery, RawBuilder } from "kysely";
import type { DatabaseError, Pool, PoolClient } from "pg";
import { nameInBatch } from "./in-transaction.ts";
import { tables } from "./tables.ts";

/** A pool, or a connection with a transaction open. */
export type Connection = Pick<Pool | PoolClient, "query">;
export type Query<Row> = Compilable<Row> | RawBuilder<Row>;
/** The row that a query returns. */
export type RowOf<Q> = Q extends Query<infer Row> ? Row : never;

type Options = {
  /** The driver gives up after this time, although the database may carry on; default: the pool's own limit. */
  answerWithinMs?: number;
  /** Prepared once for each connection, in a batch. Its text must not vary. */
  isPrepared?: boolean;
};

/** Runs the query and returns its rows. Values are bound, never part of the text. */
export async function readRows<Row>(connection: Connection, query: Query<Row>, options?: Options): Promise<Row[]> {
  return (await run(connection, query, options)).rows as Row[];
}

/** Runs the query and returns its first row; undefined if it returns no rows. */
export async function readRow<Row>(
  connection: Connection,
  query: Query<Row>,
  options?: Options,
): Promise<Row | undefined> {
  return (await readRows(connection, query, options))[0];
}

/** Runs the statement and returns how many rows it affected. */
export async function write(connection: Connection, query: Query<unknown>, options?: Options): Promise<number> {
  return (await run(connection, query, options)).rowCount ?? 0;
}

/** Runs the statement and returns the command that the database carried out: a COMMIT may end in a `ROLLBACK`. */
export async function runCommand(connection: Connection, query: Query<unknown>): Promise<string> {
  return (await run(connection, query)).command;
}

/**
 * Runs several statements in one round trip, each with its own snapshot, and returns the first row of the last one.
 * Such statements cannot have bound values.
 */
export async function readRowOfLast<Row>(
  connection: Connection,
  statements: Query<Row>,
  options?: Options,
): Promise<Row | undefined> {
  const results = [await run(connection, statements, options)].flat();
  return results.at(-1)?.rows[0];
}

function run(connection: Connection, query: Query<unknown>, { answerWithinMs, isPrepared = false }: Options = {}) {
  const { sql, parameters }: CompiledQuery = query.compile(tables);
  return connection.query({
    text: sql,
    values: [...parameters],
    ...(isPrepared ? nameInBatch(connection, sql) : {}),
    ...(answerWithinMs === undefined ? {} : { query_timeout: answerWithinMs }),
  });
}

/**
 * Returns whether the database itself answered with this error. Checks fields instead of the class, because a second
 * copy of the driver has another class. The severity distinguishes a SQLSTATE from a system code such as `EPIPE`.
 */
export function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && "severity" in error && "code" in error && typeof error.code === "string";
}
