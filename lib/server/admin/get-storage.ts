import type { AdminStorage, StorageQueue, StoredTable } from "#lib/contract/admin.ts";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import {
  readDatabaseBytes,
  readTableSizes,
  readTableTimes,
  type TableSize,
  type TableTimes,
  timedTables,
  timesOfPartitions,
} from "#lib/server/admin/read-tables.ts";
import { assertAdmin } from "#lib/server/people/permission/require-admin.ts";
import type { RetentionConfig } from "#lib/server/platform/config/config-schema.ts";
import { innerErrors } from "#lib/server/platform/db/database-errors.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
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

/** Months whose measurements are all packed have no partition any more. Numbers of metrics are in the order of time. */
async function readOldest(pool: Connection, table: string, times: TableTimes): Promise<TableTimes> {
  if (table !== "measurement") return times;
  const query = tables.selectFrom("packed_measurement").select("started_at").orderBy("metric_id").orderBy("first_seq");
  const packed = (await readRow(pool, query.limit(1)))?.started_at;
  return packed === undefined || (times.oldest !== null && times.oldest < packed)
    ? times
    : { ...times, oldest: packed };
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
    if (partitions.length > 0) return readOldest(pool, table, timesOfPartitions(partitions, now));
    return timed === undefined ? noTimes : readTableTimes(pool, timed);
  });
  const { oldest, newest, rowsPerDay } = read.value ?? noTimes;
  const timesFrom = partitions.length > 0 ? "months of partitions" : (timed?.column ?? null);
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
  if (table === "measurement" || table === "packed_measurement") return "measurements";
  return plainTables.find((each) => each.table === table)?.key;
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
  const read = await attempt(async () => {
    const leases = await prismaOn(pool).sourceLease.findMany({
      select: { sourceId: true, holder: true, expiresAt: true },
    });
    const now = await readDatabaseTime(pool);
    return leases.map((lease) => ({ ...lease, isExpired: lease.expiresAt < now }));
  });
  const rows = read.value ?? [];
  const sources = rows.filter(({ sourceId }) => sourceId !== "upkeep");
  return {
    sources: sources.length,
    expired: sources.filter(({ isExpired }) => isExpired).length,
    holders: [...new Set(rows.filter(({ isExpired }) => !isExpired).map(({ holder }) => holder))].toSorted(),
    upkeep: rows.find(({ sourceId, isExpired }) => sourceId === "upkeep" && !isExpired)?.holder ?? null,
    problem: read.problem ?? null,
  };
}

const take = 10_000;
const queues: readonly { name: string; count: (pool: Connection) => Promise<number> }[] = [
  {
    name: "Messages to send",
    count: (pool) => prismaOn(pool).notification.count({ where: { state: { in: ["queued", "sending"] } }, take }),
  },
  {
    name: "Events without a message yet",
    count: (pool) => prismaOn(pool).notifiableEvent.count({ where: { plannedAt: null }, take }),
  },
  {
    name: "Rollouts whose runs are to be derived",
    count: (pool) => prismaOn(pool).rollout.count({ where: { runsDue: true }, take }),
  },
  {
    name: "Rollouts whose findings are to be reviewed",
    count: (pool) => {
      const { reviewed } = prismaOn(pool).rolloutReview.fields;
      return prismaOn(pool).rolloutReview.count({ where: { changes: { gt: reviewed } }, take });
    },
  },
  {
    name: "Changes awaiting attribution",
    count: (pool) => prismaOn(pool).unaskedChange.count({ where: { state: "open" }, take }),
  },
  {
    name: "Objects that could not be stored",
    count: (pool) => prismaOn(pool).quarantine.count({ take }),
  },
];

async function readQueues(pool: Connection): Promise<StorageQueue[]> {
  const found: StorageQueue[] = [];
  for (const { name, count } of queues) {
    const { value: depth = null, problem = null } = await attempt(() => count(pool));
    found.push({ name, depth, isAtLeast: depth === take, problem });
  }
  return found;
}

/** Unlike the codes of Prisma and of sockets. */
const sqlState = /^(?:\d[\dA-Z]|XX)[\dA-Z]{3}$/;

/** Says in words why the database refused one read, so that the rest of the page is still there. */
async function attempt<Value>(read: () => Promise<Value>): Promise<{ value?: Value; problem?: string }> {
  try {
    return { value: await read() };
  } catch (error) {
    const state = innerErrors(error).find(({ code }) => sqlState.test(code))?.code;
    if (state === undefined) throw error;
    const words: Readonly<Record<string, string>> = {
      "42501": "Gatehouse's web role has no right to read it.",
      "57014": "It took too long to read.",
    };
    return { problem: words[state] ?? "The database could not read it." };
  }
}
