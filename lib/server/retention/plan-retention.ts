import type { Pool } from "pg";
import type { RetentionConfig } from "#lib/server/config/config-schema.ts";
import { daysOf, plainTables } from "./retention-tables.ts";

/** Rows of one table and month (UTC) that are older than their bound. */
export type DueMonth = { table: string; month: string; rows: number };

export type RetentionPlan = {
  /** By table, the time before which its rows are deleted; absent if they are kept forever. */
  bounds: Record<string, Date>;
  due: DueMonth[];
  /** First days of the months whose partition is entirely before the bound. */
  wholeMonths: string[];
  measurements: { due: number; total: number };
};

/** Finds what would be deleted now, by the database's clock. Changes nothing; reads everything that is old. */
export async function planRetention(pool: Pick<Pool, "query">, config: RetentionConfig): Promise<RetentionPlan> {
  const bounds: Record<string, Date> = {};
  const due: DueMonth[] = [];
  const days = daysOf(config.measurements);
  let wholeMonths: string[] = [];
  let total = 0;
  if (days !== undefined) {
    const bound = await readBound(pool, days);
    bounds.measurement = bound;
    due.push(...(await countMonths(pool, { table: "measurement", at: "started_at", bound })));
    wholeMonths = await listWholeMonths(pool, bound);
    if (due.length > 0) total = await countAll(pool);
  }
  const old = due.reduce((sum, { rows }) => sum + rows, 0);
  for (const { key, table, at } of plainTables) {
    const kept = daysOf(config[key]);
    if (kept === undefined) continue;
    const bound = await readBound(pool, kept);
    bounds[table] = bound;
    due.push(...(await countMonths(pool, { table, at, bound })));
  }
  return { bounds, due, wholeMonths, measurements: { due: old, total } };
}

async function readBound(pool: Pick<Pool, "query">, days: number): Promise<Date> {
  const { rows } = await pool.query<{ bound: Date }>("SELECT clock_timestamp() - make_interval(days => $1) AS bound", [
    days,
  ]);
  const [row] = rows;
  if (row === undefined) throw new Error("the database did not say what time it is");
  return row.bound;
}

async function countMonths(
  pool: Pick<Pool, "query">,
  { table, at, bound }: { table: string; at: string; bound: Date },
): Promise<DueMonth[]> {
  const { rows } = await pool.query<{ month: string; count: string }>(
    `SELECT to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM') AS month, count(*) AS count
       FROM "${table}" WHERE ${at} < $1 GROUP BY 1 ORDER BY 1`,
    [bound],
  );
  return rows.map(({ month, count }) => ({ table, month, rows: Number(count) }));
}

async function countAll(pool: Pick<Pool, "query">): Promise<number> {
  const { rows } = await pool.query<{ count: string }>("SELECT count(*) AS count FROM measurement");
  return Number(rows[0]?.count ?? 0);
}

async function listWholeMonths(pool: Pick<Pool, "query">, bound: Date): Promise<string[]> {
  const { rows } = await pool.query<{ month: string }>(
    `SELECT month FROM (
       SELECT replace(substr(c.relname, 13), '_', '-') || '-01' AS month
         FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
        WHERE i.inhparent = 'measurement'::regclass AND c.relname ~ '^measurement_[0-9]{4}_[0-9]{2}$') AS partition
      WHERE (month::date + interval '1 month')::timestamp AT TIME ZONE 'UTC' <= $1 ORDER BY month`,
    [bound],
  );
  return rows.map(({ month }) => month);
}
