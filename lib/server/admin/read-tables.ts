import { sql } from "kysely";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tableName, tables } from "#lib/server/platform/db/tables.ts";

/** Sizes as PostgreSQL's catalogue has them; partitions are added to their table. */
export type TableSize = {
  table: string;
  /** Estimate; null if a part was never analysed. */
  rows: number | null;
  bytes: number;
  indexBytes: number;
  toastBytes: number;
  partitions: { name: string; rows: number | null; bytes: number }[];
};

type SizeRow = {
  name: string;
  parent: string | null;
  rows: number;
  bytes: string;
  index_bytes: string;
  toast_bytes: string;
};

/** Reads the sizes of all tables. Reads none of their rows, and needs no rights on the tables. */
export async function readTableSizes(connection: Connection): Promise<TableSize[]> {
  const found = await readRows(
    connection,
    sql<SizeRow>`
      SELECT c.relname AS name, p.relname AS parent, c.reltuples::float8 AS rows,
             pg_total_relation_size(c.oid)::text AS bytes, pg_indexes_size(c.oid)::text AS index_bytes,
             CASE WHEN c.reltoastrelid = 0 THEN '0' ELSE pg_total_relation_size(c.reltoastrelid)::text END AS toast_bytes
        FROM pg_class c
        LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
        LEFT JOIN pg_class p ON p.oid = i.inhparent
       WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
       ORDER BY c.relname`,
  );
  return sumPartitions(found);
}

/** Adds the sizes of partitions to their table. */
export function sumPartitions(found: readonly SizeRow[]): TableSize[] {
  const groups = Map.groupBy(found, ({ name, parent }) => parent ?? name);
  return [...groups].map(([table, parts]): TableSize => {
    const total = (value: (part: SizeRow) => string) => parts.reduce((sum, part) => sum + Number(value(part)), 0);
    // An empty table that was never analysed has -1, as one with rows has.
    const isKnown = parts.every(({ rows, bytes, index_bytes }) => rows >= 0 || bytes === index_bytes);
    return {
      table,
      rows: isKnown ? parts.reduce((sum, { rows }) => sum + Math.max(0, rows), 0) : null,
      bytes: total(({ bytes }) => bytes),
      indexBytes: total(({ index_bytes }) => index_bytes),
      toastBytes: total(({ toast_bytes }) => toast_bytes),
      partitions: parts
        .filter(({ parent }) => parent !== null)
        .map(({ name, rows, bytes }) => ({ name, rows: rows < 0 ? null : rows, bytes: Number(bytes) })),
    };
  });
}

export async function readDatabaseBytes(connection: Connection): Promise<number> {
  const size = tables.selectNoFrom(({ fn }) => fn<string>("pg_database_size", [fn("current_database")]).as("bytes"));
  return Number((await readRow(connection, size))?.bytes ?? 0);
}

function timed<Table extends keyof Tables>(
  table: Table,
  column: string & keyof Tables[Table],
  key: readonly string[] = [column],
): { table: keyof Tables; column: string; key: readonly string[] } {
  return { table, column, key };
}

/**
 * Tables with the time of a row, and the columns of an index that orders rows by time: the time itself, or the number
 * of a table that only grows. So oldest and newest cost a few pages each.
 */
export const timedTables = [
  timed("audit_entry", "time", ["seq"]),
  timed("change_log", "at", ["xid", "id"]),
  timed("kube_event", "last_at"),
  timed("hook_call", "at", ["id"]),
  timed("controller_message", "received_at", ["id"]),
  timed("rollout_sample", "at"),
  timed("controller_sample", "at"),
  timed("kubernetes_audit_event", "received_at", ["id"]),
  timed("notifiable_event", "queued_at"),
  timed("notification", "created_at"),
  timed("finding", "since"),
  timed("release", "started_at"),
  timed("analysis_run", "created_at"),
  timed("experiment", "created_at"),
  timed("approval", "expires_at"),
];

/** The newest rows are counted, at most this many; if all are of the last week, the rest is extrapolated. */
const mostCounted = 100_000;
const dayMs = 86_400_000;

export type TableTimes = { oldest: Date | null; newest: Date | null; rowsPerDay: number | null };

/** Reads the oldest and newest time of a table, and how many rows a day it got in the last week. */
export async function readTableTimes(
  connection: Connection,
  { table, column, key }: (typeof timedTables)[number],
): Promise<TableTimes> {
  const rowsBy = (way: "asc" | "desc", limit: number) =>
    sql`SELECT ${sql.ref(column)} AS at FROM ${tableName(table)}
      ORDER BY ${sql.join(key.map((part) => sql`${sql.ref(part)} ${sql.raw(way)}`))} LIMIT ${sql.lit(limit)}`;
  const read = await readRow(
    connection,
    sql<{ oldest: Date | null; newest: Date | null; rows: number; first: Date | null; now: Date }>`
      SELECT (${rowsBy("asc", 1)}) AS oldest, (${rowsBy("desc", 1)}) AS newest, clock_timestamp() AS now,
             count(*) FILTER (WHERE t.at >= now() - interval '7 days')::int AS rows, min(t.at) AS first
        FROM (${rowsBy("desc", mostCounted)}) AS t`,
  );
  const { oldest = null, newest = null, rows = 0, now = new Date() } = read ?? {};
  if (oldest === null) return { oldest, newest, rowsPerDay: null };
  const first = rows === mostCounted ? (read?.first ?? oldest) : oldest;
  return { oldest, newest, rowsPerDay: computeRate({ rows, sinceMs: now.getTime() - first.getTime() }) };
}

/** The least time that a rate is taken from: two rows of the last minute are no rate. */
const leastMs = dayMs / 24;

/** Returns rows per day, over a week or, if the table is younger, its age; null if it is younger than an hour. */
export function computeRate({ rows, sinceMs }: { rows: number; sinceMs: number }): number | null {
  if (sinceMs < leastMs) return null;
  return rows / (Math.min(sinceMs, 7 * dayMs) / dayMs);
}

/** Reads months and growth of a table from its partitions, named `measurement_YYYY_MM`. Months are UTC. */
export function timesOfPartitions(
  partitions: TableSize["partitions"],
  now: Date,
): { oldest: Date | null; newest: Date | null; rowsPerDay: number | null } {
  const months = partitions
    .flatMap(({ name, rows }) => {
      const month = /_(\d{4})_(\d{2})$/.exec(name);
      return month === null || rows === 0 ? [] : [{ start: Date.UTC(Number(month[1]), Number(month[2]) - 1), rows }];
    })
    .toSorted((left, right) => left.start - right.start)
    .filter(({ start }) => start <= now.getTime());
  const last = months.at(-1);
  const isCurrent = last?.start === Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const days = last === undefined ? 0 : (now.getTime() - last.start) / dayMs;
  return {
    oldest: months[0] === undefined ? null : new Date(months[0].start),
    newest: null,
    rowsPerDay: isCurrent && last.rows !== null && days >= 1 ? last.rows / days : null,
  };
}
