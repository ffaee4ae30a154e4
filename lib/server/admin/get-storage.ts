import { sql } from "kysely";
import type { AdminStorage, StorageQueue, StoredTable } from "#lib/contract/admin-storage.ts";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import {
  readAuditTimes,
  readDatabaseBytes,
  readTableSizes,
  readTableTimes,
  type TableSize,
  type TableTimes,
  timedTables,
  timesOfPartitions,
} from "#lib/server/admin/read-tables.ts";
import { assertAdmin } from "#lib/server/people/permission/assert-admin.ts";
import type { RetentionConfig } from "#lib/server/platform/config/config-schema.ts";
import { isDatabaseError } from "#lib/server/platform/db/database-errors.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { tableName, tables } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { readRetentionState } from "#lib/server/recording/retention/retention-lock.ts";
import { plainTables } from "#lib/server/recording/retention/retention-tables.ts";

/**
 * Returns the contents of the database, by table, with their growth and retention. Reads with the rights of the web's
 * own role: parts that it may not read are marked.
 */
export async function getAdminStorage({ ctx }: { ctx: ServiceContext }): Promise<AdminStorage> {
  assertAdmin(ctx);
  const { pool } = ctx.runtime;
  const { config } = ctx.runtime.config();
  const now = ctx.runtime.now();
  const [sizes, databaseBytes] = await Promise.all([readTableSizes(pool), attempt(() => readDatabaseBytes(pool))]);
  const stored: StoredTable[] = [];
  // One after the other: the page must not take the pool's connections from requests that matter more.
  for (const size of sizes) stored.push(await describeTable({ pool, size, now, retention: config.retention }));
  const known = stored.filter(({ bytesPerDay }) => bytesPerDay !== null);
  const bytes = stored.reduce((sum, table) => sum + table.bytes, 0);
  const bytesPerDay = known.length === 0 ? null : known.reduce((sum, table) => sum + (table.bytesPerDay ?? 0), 0);
  const { storageGigabytes } = config;
  const limitBytes = storageGigabytes === undefined ? null : storageGigabytes * 1e9;
  return {
    at: now.toISOString(),
    databaseBytes: databaseBytes.value ?? null,
    tables: stored.toSorted((left, right) => right.bytes - left.bytes),
    bytesPerDay,
    growthKnownFor: bytes === 0 ? 0 : known.reduce((sum, table) => sum + table.bytes, 0) / bytes,
    limitBytes,
    daysLeft: computeDaysLeft({ limitBytes, bytes: databaseBytes.value ?? bytes, bytesPerDay }),
    retention: await readRetention(pool),
    leases: await readLeases(pool),
    queues: await readQueues(pool),
  };
}

/** Returns after how many days the limit is reached; 0 if it is, null if that is unknown or never. */
export function computeDaysLeft({
  limitBytes,
  bytes,
  bytesPerDay,
}: {
  limitBytes: number | null;
  bytes: number;
  bytesPerDay: number | null;
}): number | null {
  if (limitBytes === null) return null;
  if (bytes >= limitBytes) return 0;
  return bytesPerDay === null || bytesPerDay <= 0 ? null : (limitBytes - bytes) / bytesPerDay;
}

const noTimes: TableTimes = { oldest: null, newest: null, rowsPerDay: null };

async function describeTable({
  pool,
  size,
  now,
  retention,
}: {
  pool: Connection;
  size: TableSize;
  now: Date;
  retention: RetentionConfig;
}): Promise<StoredTable> {
  const { table, rows, bytes, partitions } = size;
  const timed = timedTables.find((each) => each.table === table);
  const read = await attempt(async () => {
    if (partitions.length > 0) return timesOfPartitions(partitions, now);
    if (table === "audit_entry") return readAuditTimes(pool);
    return timed === undefined ? noTimes : readTableTimes(pool, timed);
  });
  const { oldest, newest, rowsPerDay } = read.value ?? noTimes;
  const timesFrom =
    partitions.length > 0 ? "months of partitions" : table === "audit_entry" ? "time" : (timed?.column ?? null);
  const key = keyOf(table);
  return {
    table,
    rows,
    bytes,
    indexBytes: size.indexBytes,
    toastBytes: size.toastBytes,
    partitions: partitions.length,
    oldest: oldest?.toISOString() ?? null,
    newest: newest?.toISOString() ?? null,
    timesFrom,
    retention: key === undefined ? null : retention[key],
    retentionKey: key === undefined ? null : `retention.${key}`,
    rowsPerDay,
    bytesPerDay: rowsPerDay === null || rows === null || rows === 0 ? null : rowsPerDay * (bytes / rows),
    problem: read.problem ?? null,
  };
}

function keyOf(table: string): keyof RetentionConfig | undefined {
  return table === "measurement" ? "measurements" : plainTables.find((each) => each.table === table)?.key;
}

/** The log is not indexed by code: older entries are not looked at. */
const newestEntries = 50_000;

async function readRetention(pool: Connection): Promise<AdminStorage["retention"]> {
  const run = await attempt(() => readRetentionState(pool));
  const removed = await attempt(async () => {
    const newest = tables
      .selectFrom("audit_entry")
      .select(["seq", "time", "code", "outcome", "entry"])
      .orderBy("seq", "desc")
      .limit(newestEntries);
    return readRow(
      pool,
      tables
        .selectFrom(newest.as("n"))
        .select(["n.seq", "n.time", "n.entry"])
        .where("n.code", "=", "retention.deleted")
        .where("n.outcome", "in", ["applied", "partial"])
        .orderBy("n.seq", "desc")
        .limit(1),
    );
  });
  const state = run.value?.state;
  const row = removed.value;
  return {
    doneAt: state?.doneAt?.toISOString() ?? null,
    outcome: state?.outcome ?? null,
    message: state?.message ?? null,
    removed:
      row === undefined ? null : { seq: Number(row.seq), at: row.time.toISOString(), rows: readCounts(row.entry) },
    problem: run.problem ?? removed.problem ?? null,
  };
}

function readCounts(text: string): Record<string, number> {
  const rows = parseEntryText(text)?.detail?.rows;
  if (typeof rows !== "object" || rows === null) return {};
  return Object.fromEntries(
    Object.entries(rows).flatMap(([table, count]) => (typeof count === "number" ? [[table, count] as const] : [])),
  );
}

async function readLeases(pool: Connection): Promise<AdminStorage["leases"]> {
  const read = await attempt(() =>
    readRows(
      pool,
      tables
        .selectFrom("source_lease")
        .select(["source_id", "holder"])
        .select(sql<boolean>`expires_at < clock_timestamp()`.as("is_expired")),
    ),
  );
  const rows = read.value ?? [];
  const sources = rows.filter(({ source_id }) => source_id !== "upkeep");
  return {
    sources: sources.length,
    expired: sources.filter(({ is_expired }) => is_expired).length,
    holders: [...new Set(rows.filter(({ is_expired }) => !is_expired).map(({ holder }) => holder))].toSorted(),
    upkeep: rows.find(({ source_id, is_expired }) => source_id === "upkeep" && !is_expired)?.holder ?? null,
    problem: read.problem ?? null,
  };
}

const mostQueued = 10_000;
const queues = [
  { name: "Messages to send", table: "notification", waits: sql<boolean>`state IN ('queued', 'sending')` },
  { name: "Events without a message yet", table: "notifiable_event", waits: sql<boolean>`planned_at IS NULL` },
  { name: "Rollouts whose runs are to be derived", table: "rollout", waits: sql<boolean>`runs_due` },
  {
    name: "Rollouts whose findings are to be reviewed",
    table: "finding_review",
    waits: sql<boolean>`changes > reviewed`,
  },
  { name: "Changes whose person is looked for", table: "change_attribution", waits: sql<boolean>`state = 'open'` },
  { name: "Objects that could not be stored", table: "quarantine", waits: sql<boolean>`true` },
] as const;

async function readQueues(pool: Connection): Promise<StorageQueue[]> {
  const found: StorageQueue[] = [];
  for (const { name, table, waits } of queues) {
    const read = await attempt(() =>
      readRow(
        pool,
        sql<{ depth: string }>`
          SELECT count(*)::text AS depth FROM (SELECT 1 FROM ${tableName(table)} WHERE ${waits} LIMIT ${mostQueued}) AS q`,
      ),
    );
    const depth = read.value === undefined ? null : Number(read.value.depth);
    found.push({ name, depth, isAtLeast: depth === mostQueued, problem: read.problem ?? null });
  }
  return found;
}

/** Says in words why the database refused one read, so that the rest of the page is still there. */
async function attempt<Value>(read: () => Promise<Value>): Promise<{ value?: Value; problem?: string }> {
  try {
    return { value: await read() };
  } catch (error) {
    if (!isDatabaseError(error)) throw error;
    const words: Readonly<Record<string, string>> = {
      "42501": "Gatehouse's web role has no right to read it.",
      "57014": "It took too long to read.",
    };
    return { problem: words[error.code ?? ""] ?? "The database could not read it." };
  }
}
