import { sql } from "kysely";
import { clockTime, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
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

function timed<Table extends keyof Tables>(table: Table, column: string & keyof Tables[Table]) {
  return { table, column } as const;
}

/** Tables with an index that begins with the time of a row: oldest, newest and growth cost a few pages each. */
export const timedTables: readonly { table: keyof Tables; column: string }[] = [
  timed("change_log", "at"),
  timed("kube_event", "last_at"),
  timed("hook_call", "at"),
  timed("controller_message", "received_at"),
  timed("rollout_sample", "at"),
  timed("controller_sample", "at"),
  timed("kubernetes_audit_event", "received_at"),
  timed("notifiable_event", "queued_at"),
  timed("notification", "created_at"),
  timed("finding", "since"),
  timed("release", "started_at"),
  timed("analysis_run", "created_at"),
  timed("experiment", "created_at"),
  timed("approval", "expires_at"),
];

/** Rows of a week are counted up to this many; more than that is extrapolated from the time that they span. */
const mostCounted = 100_000;
const dayMs = 86_400_000;

export type TableTimes = { oldest: Date | null; newest: Date | null; rowsPerDay: number | null };

/** Reads the oldest and newest time of a table, and how many rows a day it got in the last week, by its index. */
export async function readTableTimes(
  connection: Connection,
  { table, column }: { table: keyof Tables; column: string },
): Promise<TableTimes> {
  const at = sql.ref(column);
  const ends = await readRow(
    connection,
    sql<{ oldest: Date | null; newest: Date | null; now: Date }>`
      SELECT (SELECT ${at} FROM ${tableName(table)} WHERE ${at} IS NOT NULL ORDER BY ${at} LIMIT 1) AS oldest,
             (SELECT ${at} FROM ${tableName(table)} WHERE ${at} IS NOT NULL ORDER BY ${at} DESC LIMIT 1) AS newest,
             clock_timestamp() AS now`,
  );
  const { oldest = null, newest = null, now = new Date() } = ends ?? {};
  if (oldest === null) return { oldest, newest, rowsPerDay: null };
  const counted = await readRow(
    connection,
    sql<{ rows: string; first: Date | null }>`
      SELECT count(*)::text AS rows, min(t.at) AS first FROM (
        SELECT ${at} AS at FROM ${tableName(table)} WHERE ${at} >= clock_timestamp() - interval '7 days'
         ORDER BY ${at} DESC LIMIT ${mostCounted}) AS t`,
  );
  const rows = Number(counted?.rows ?? 0);
  const first = rows === mostCounted ? (counted?.first ?? oldest) : oldest;
  return { oldest, newest, rowsPerDay: computeRate({ rows, sinceMs: now.getTime() - first.getTime() }) };
}

/** The least time that a rate is taken from: two rows of the last minute are no rate. */
const leastMs = dayMs / 24;

/** Returns rows per day, over a week or, if the table is younger, its age; null if it is younger than an hour. */
export function computeRate({ rows, sinceMs }: { rows: number; sinceMs: number }): number | null {
  if (sinceMs < leastMs) return null;
  return rows / (Math.min(sinceMs, 7 * dayMs) / dayMs);
}

/** Reads the times of the first and the last entry of the audit log, which is ordered by number. */
export async function readAuditTimes(connection: Connection): Promise<TableTimes> {
  const prisma = prismaOn(connection);
  const oldest = await prisma.auditEntry.findFirst({ select: { time: true }, orderBy: { seq: "asc" } });
  const newest = await prisma.auditEntry.findFirst({ select: { time: true }, orderBy: { seq: "desc" } });
  const entries = tables.selectFrom("audit_entry").select("time").orderBy("seq", "desc").limit(mostCounted);
  const counted = await readRow(
    connection,
    tables
      .selectFrom(entries.as("t"))
      .select(({ eb, fn }) => [
        countRows(eb("t.time", ">=", secondsBefore(clockTime, (7 * dayMs) / 1000))).as("rows"),
        fn.min<Date | null>("t.time").as("first"),
        clockTime.as("now"),
      ]),
  );
  const { rows = 0, first = null, now = new Date() } = counted ?? {};
  const rowsPerDay = first === null ? null : computeRate({ rows, sinceMs: now.getTime() - first.getTime() });
  return { oldest: oldest?.time ?? null, newest: newest?.time ?? null, rowsPerDay };
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
