import { type SqlBool, sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { allOf, type Condition } from "#lib/server/platform/db/conditions.ts";
import { clockTime, secondsAfter } from "#lib/server/platform/db/database-time.ts";
import { readRow, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { type Columns, fragment, tables } from "#lib/server/platform/db/tables.ts";
import { hasBrand } from "#lib/util/has-brand.ts";
import { gatherWrites } from "./gather-writes.ts";
import { sessionNameOf } from "./recorder-pool.ts";

/** The right to write one source. Invariant: `epoch` rises with each change of holder. */
export type Lease = { sourceId: string; holder: string; epoch: string };

export const leaseSeconds = 10;

/** An unanswered query is retried soon: we must know whether we still hold the lease well before it ends. */
const answerWithinMs = 5000;

/** Longer than a transaction of a live recorder can be idle. */
const stalledSeconds = 5;

const row = fragment<{ source_lease: "source_lease" }>();

const expiry = secondsAfter(clockTime, leaseSeconds);

/** Another process holds the source now: we must not write anything that was not committed. */
export class LeaseLostError extends Error {
  readonly brand = "lease-lost-error";
  constructor(sourceId: string) {
    super(`the lease of source ${sourceId} is held by another recorder`);
    this.name = "LeaseLostError";
  }
}

export function isLeaseLostError(error: unknown): error is LeaseLostError {
  return hasBrand(error, "lease-lost-error");
}

/** Returns the condition that the row says that the lease is ours. */
function isOurs({ sourceId, holder, epoch }: Lease): Condition {
  return allOf([row("source_id", "=", sourceId), row("holder", "=", holder), row("epoch", "=", epoch)]);
}

/**
 * Acquires the lease if it is free by the database's clock. Returns undefined while another process holds it. Waits for
 * a running batch; if its holder was stopped in the middle of that batch, ends the holder's connections.
 */
export async function acquireLease(
  pool: Pool,
  { sourceId, holder }: { sourceId: string; holder: string },
): Promise<Lease | undefined> {
  const epoch = await takeOver(pool, { sourceId, holder }).catch(async (error: unknown) => {
    if (!isLockTimeout(error) || (await endStalledHolder(pool, sourceId)) === 0) throw error;
    return takeOver(pool, { sourceId, holder });
  });
  if (epoch !== undefined) return { sourceId, holder, epoch };
  const created = await write(
    pool,
    tables
      .insertInto("source_lease")
      .values({ source_id: sourceId, holder, epoch: "1", expires_at: expiry })
      .onConflict((conflict) => conflict.column("source_id").doNothing()),
  );
  return created === 1 ? { sourceId, holder, epoch: "1" } : undefined;
}

/**
 * Takes over the lease. FOR UPDATE waits for the KEY SHARE of a batch's fence, which a mere update of the row would not
 * do.
 */
async function takeOver(
  pool: Pool,
  { sourceId, holder }: { sourceId: string; holder: string },
): Promise<string | undefined> {
  const taken = await readRow(
    pool,
    tables
      .with("free", (db) =>
        db
          .selectFrom("source_lease")
          .select("source_id")
          .where("source_id", "=", sourceId)
          .where((eb) => eb.or([eb("expires_at", "<=", clockTime), eb("holder", "=", holder)]))
          .forUpdate(),
      )
      .updateTable("source_lease")
      .from("free")
      .set(
        (eb) =>
          ({
            holder,
            epoch: eb("source_lease.epoch", "+", "1"),
            expires_at: expiry,
          }) satisfies Columns<"source_lease">,
      )
      .whereRef("source_lease.source_id", "=", "free.source_id")
      .returning("source_lease.epoch"),
    { answerWithinMs },
  );
  return taken?.epoch;
}

/** Recognises 55P03: the lock was not available within `lock_timeout`. */
function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "55P03";
}

/**
 * Ends the connections of a stalled holder. Session time-outs do not end one that was stopped while sending a
 * statement: the database waits for the rest and keeps the locks. A process that may take the lease over therefore ends
 * it.
 */
async function endStalledHolder(pool: Pool, sourceId: string): Promise<number> {
  const stalled = await readRow(
    pool,
    tables
      .selectFrom("source_lease")
      .select("holder")
      .where("source_id", "=", sourceId)
      .where("expires_at", "<=", clockTime),
  );
  if (stalled === undefined) return 0;
  return write(
    pool,
    sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user
        AND application_name = ${sessionNameOf(stalled.holder)}
        AND xact_start < clock_timestamp() - make_interval(secs => ${stalledSeconds})`,
  );
}

/**
 * Throws `LeaseLostError` if we no longer hold the lease. An expired lease that nobody took becomes valid again. Leases
 * that are renewed at about the same time share one statement.
 */
export const renewLease = gatherWrites({ gatherMs: 20, writeAll: renewAll, writeOne: renewOne });

/**
 * Renews the leases that are ours and not locked by a take-over, and returns them. A lock on one lease does not keep the
 * others from being renewed.
 */
async function renewAll(pool: Pool, leases: readonly Lease[]): Promise<Set<Lease>> {
  const keys = sql`unnest(${leases.map(({ sourceId }) => sourceId)}::text[],
    ${leases.map(({ holder }) => holder)}::text[], ${leases.map(({ epoch }) => epoch)}::bigint[])`;
  const free = tables
    .selectFrom("source_lease")
    .select("source_id")
    .where(
      ({ ref }) => sql<SqlBool>`(${ref("source_id")}, ${ref("holder")}, ${ref("epoch")}) IN (SELECT * FROM ${keys})`,
    )
    .forNoKeyUpdate()
    .skipLocked();
  const renewal = tables
    .updateTable("source_lease")
    .set({ expires_at: expiry })
    .where("source_id", "in", free)
    .returning(["source_id", "epoch"]);
  const rows = await readRows(pool, renewal, { answerWithinMs });
  const renewed = new Set(rows.map(keyOfRenewed));
  return new Set(leases.filter(({ sourceId, epoch }) => renewed.has(keyOfRenewed({ source_id: sourceId, epoch }))));
}

function keyOfRenewed({ source_id, epoch }: { source_id: string; epoch: string }): string {
  return `${source_id} ${epoch}`;
}

/** Tells a lost lease from one that is locked: it waits for the lock. */
async function renewOne(pool: Pool, lease: Lease): Promise<void> {
  const renewal = tables.updateTable("source_lease").set({ expires_at: expiry }).where(isOurs(lease));
  if ((await write(pool, renewal, { answerWithinMs })) !== 1) throw new LeaseLostError(lease.sourceId);
}

const selectHeld = tables.selectFrom("source_lease").select(sql.lit(1).as("held"));

/** Returns whether no other process has the lease. This may change a moment later: critical writes need the fence. */
export async function isHeld(pool: Pool, lease: Lease): Promise<boolean> {
  return (await write(pool, selectHeld.where(isOurs(lease)))) === 1;
}

/** Lets the next recorder take over at once. */
export async function releaseLease(pool: Pool, lease: Lease): Promise<void> {
  await write(pool, tables.updateTable("source_lease").set({ expires_at: clockTime }).where(isOurs(lease)));
}

/**
 * Selects a row if we hold the lease: the fence of everything that is written for a source. Its lock keeps the lease
 * ours until the commit: a take-over waits for the batch, and a batch after a take-over fails here. It is KEY SHARE and
 * not SHARE because a long batch must not prevent its own recorder from renewing.
 */
export function selectFence(lease: Lease) {
  return selectHeld.where(isOurs(lease)).forKeyShare();
}

/** Throws if we no longer hold the lease: the fence inside the transaction of every batch. */
export async function assertLease(tx: PoolClient, lease: Lease): Promise<void> {
  const locked = await write(tx, selectFence(lease), { isPrepared: true });
  if (locked !== 1) throw new LeaseLostError(lease.sourceId);
}
