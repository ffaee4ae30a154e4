import { type Expression, sql } from "kysely";
import type { SourceState } from "#lib/contract/system.ts";
import type { RetentionConfig } from "#lib/server/platform/config/config-schema.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tableName, tables } from "#lib/server/platform/db/tables.ts";
import { type AgingTable, daysOf, plainTables } from "./retention-tables.ts";

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
export async function planRetention(pool: Connection, config: RetentionConfig): Promise<RetentionPlan> {
  const bounds: Record<string, Date> = {};
  const due: DueMonth[] = [];
  const days = daysOf(config.measurements);
  let wholeMonths: string[] = [];
  let total = 0;
  if (days !== undefined) {
    const bound = await readBound(pool, days);
    bounds.measurement = bound;
    due.push(
      ...(await countMonths(pool, {
        table: "measurement",
        at: "started_at" satisfies keyof Tables["measurement"],
        bound,
        from: oldMeasurements(bound),
      })),
    );
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

async function readBound(pool: Connection, days: number): Promise<Date> {
  const row = await readRow(pool, sql<{ bound: Date }>`SELECT ${clockTime} - make_interval(days => ${days}) AS bound`);
  if (row === undefined) throw new Error("the database did not say what time it is");
  return row.bound;
}

async function countMonths(
  pool: Connection,
  {
    table,
    at,
    bound,
    from = tableName(table),
  }: Pick<AgingTable, "table" | "at"> & { bound: Date; from?: Expression<unknown> },
): Promise<DueMonth[]> {
  const age = sql.ref(at);
  const rows = await readRows(
    pool,
    sql<{ month: string; count: string }>`
      SELECT to_char(${age} AT TIME ZONE 'UTC', 'YYYY-MM') AS month, count(*) AS count
        FROM ${from} WHERE ${age} < ${bound} GROUP BY 1 ORDER BY 1`,
  );
  return rows.map(({ month, count }) => ({ table, month, rows: Number(count) }));
}

/** All measurements that are old, and some that are not: packed with older ones. */
function oldMeasurements(bound: Date): Expression<unknown> {
  return sql`${tables.selectFrom("recorded_measurement").select("started_at").where("since", "<", bound).as("old")}`;
}

/** Prisma's count reads all partitions in one process, through a subquery. Packed measurements are not unpacked. */
async function countAll(pool: Connection): Promise<number> {
  const counted = await readRow(
    pool,
    tables.selectNoFrom(({ selectFrom }) => [
      selectFrom("measurement")
        .select(({ fn }) => fn.countAll<string>().as("count"))
        .as("rows"),
      selectFrom("packed_measurement")
        .select(({ fn, ref }) =>
          fn
            .sum<string | null>(
              sql`COALESCE(cardinality(${ref("seqs")}), ${ref("last_seq")} - ${ref("first_seq")} + 1)`,
            )
            .as("count"),
        )
        .as("packed"),
    ]),
  );
  return Number(counted?.rows ?? 0) + Number(counted?.packed ?? 0);
}

/** Reads PostgreSQL's own tables: a partition is named `measurement_YYYY_MM`. */
export async function listWholeMonths(pool: Connection, bound: Date): Promise<string[]> {
  const rows = await readRows(
    pool,
    sql<{ month: string }>`
      SELECT month FROM (
        SELECT replace(substr(c.relname, 13), '_', '-') || '-01' AS month
          FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'measurement'::regclass AND c.relname ~ '^measurement_[0-9]{4}_[0-9]{2}$') AS partition
       WHERE (month::date + interval '1 month')::timestamp AT TIME ZONE 'UTC' <= ${bound} ORDER BY month`,
  );
  return rows.map(({ month }) => month);
}

/** One reason not to delete now; `code` is for metrics and tests, `text` for people. */
export type Obstacle = { code: "config" | "source" | "share"; text: string };

export type JudgedSource = {
  cluster: string;
  kind: string;
  namespace: string;
  state: SourceState;
  /** Null: never reached. */
  lastContact: Date | null;
  firstSeen: Date | null;
};

/** Deletion by age takes a little each day. A larger share is a wrong clock or a mistyped age. */
const maxSharePercent = 50;
const dayMs = 86_400_000;

/**
 * Returns why nothing may be deleted by age now (FC-30). Sources that will deliver nothing more count as settled and
 * are ignored: those of clusters that the config no longer names, of kinds that the cluster does not have, and those
 * denied for longer than a day.
 */
export function findRetentionObstacles(input: {
  /** Undefined if the config on disk is the one in force. */
  configTrouble: string | undefined;
  /** Only of configured clusters. */
  sources: readonly JudgedSource[];
  /** Ids of sources that the config requires but that have not been recorded yet. */
  unknownSources: readonly string[];
  plan: RetentionPlan;
  now: Date;
}): Obstacle[] {
  const { configTrouble, sources, unknownSources, plan, now } = input;
  const { due, total } = plan.measurements;
  const unsettled = sources.filter((source) => !isSettled(source, now));
  const obstacles: Obstacle[] = [];
  if (configTrouble !== undefined) obstacles.push({ code: "config", text: `the config: ${configTrouble}` });
  obstacles.push(
    ...unsettled.map((source): Obstacle => ({ code: "source", text: `${nameOf(source)} is ${source.state}` })),
    ...unknownSources.map((id): Obstacle => ({ code: "source", text: `${id} has never been recorded` })),
  );
  if (due * 100 > total * maxSharePercent)
    obstacles.push({
      code: "share",
      text: `${due} of ${total} measurements would go, more than ${maxSharePercent} %: check retention in the config, or run gatehouse retention --override --reason TEXT`,
    });
  return obstacles;
}

function isSettled({ state, lastContact, firstSeen }: JudgedSource, now: Date): boolean {
  if (state === "live" || state === "absent") return true;
  if (state !== "denied") return false;
  const since = lastContact ?? firstSeen;
  return since !== null && now.getTime() - since.getTime() > dayMs;
}

function nameOf({ cluster, kind, namespace }: JudgedSource): string {
  return `${cluster} ${kind}${namespace === "" ? "" : ` in ${namespace}`}`;
}
