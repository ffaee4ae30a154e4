import type { Pool, PoolClient } from "pg";
import { hasBrand } from "#lib/util/has-brand.ts";
import { sessionNameOf } from "./recorder-pool.ts";

/** The right to write one source. Invariant: `epoch` rises with each change of holder. */
export type Lease = { sourceId: string; holder: string; epoch: string };

export const leaseSeconds = 10;

/** An unanswered query is retried soon: we must know whether we still hold the lease well before it ends. */
const answerWithinMs = 5000;

/** Longer than a transaction of a live recorder can be idle. */
const stalledSeconds = 5;

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

/**
 * Acquires the lease if it is free by the database's clock. Returns undefined while another process holds it. Waits for
 * a running batch; if its holder was stopped in the middle of that batch, ends the holder's connections.
 */
export async function acquireLease(
  pool: Pool,
  { sourceId, holder }: { sourceId: string; holder: string },
): Promise<Lease | undefined> {
  const values = [sourceId, holder, leaseSeconds];
  const epoch = await takeOver(pool, values).catch(async (error: unknown) => {
    if (!isLockTimeout(error) || (await endStalledHolder(pool, sourceId)) === 0) throw error;
    return takeOver(pool, values);
  });
  if (epoch !== undefined) return { sourceId, holder, epoch };
  const { rowCount } = await pool.query(
    `INSERT INTO source_lease (source_id, holder, epoch, expires_at)
     VALUES ($1, $2, 1, clock_timestamp() + make_interval(secs => $3)) ON CONFLICT (source_id) DO NOTHING`,
    values,
  );
  return rowCount === 1 ? { sourceId, holder, epoch: "1" } : undefined;
}

/**
 * Takes over the lease. FOR UPDATE waits for the KEY SHARE of a batch's fence, which a mere update of the row would not
 * do.
 */
async function takeOver(pool: Pool, values: readonly unknown[]): Promise<string | undefined> {
  const query = {
    text: `WITH free AS (
       SELECT source_id FROM source_lease
        WHERE source_id = $1 AND (expires_at <= clock_timestamp() OR holder = $2) FOR UPDATE)
     UPDATE source_lease SET holder = $2, epoch = epoch + 1, expires_at = clock_timestamp() + make_interval(secs => $3)
       FROM free WHERE source_lease.source_id = free.source_id
     RETURNING source_lease.epoch::text`,
    values: [...values],
    query_timeout: answerWithinMs,
  };
  const { rows } = await pool.query<{ epoch: string }>(query);
  return rows[0]?.epoch;
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
  const { rows } = await pool.query<{ holder: string }>(
    "SELECT holder FROM source_lease WHERE source_id = $1 AND expires_at <= clock_timestamp()",
    [sourceId],
  );
  const holder = rows[0]?.holder;
  if (holder === undefined) return 0;
  const { rowCount } = await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND usename = current_user AND application_name = $1
        AND xact_start < clock_timestamp() - make_interval(secs => $2)`,
    [sessionNameOf(holder), stalledSeconds],
  );
  return rowCount ?? 0;
}

/** Throws `LeaseLostError` if we no longer hold the lease. An expired lease that nobody took becomes valid again. */
export async function renewLease(pool: Pool, lease: Lease): Promise<void> {
  const query = {
    text: `UPDATE source_lease SET expires_at = clock_timestamp() + make_interval(secs => $4)
      WHERE source_id = $1 AND holder = $2 AND epoch = $3`,
    values: [lease.sourceId, lease.holder, lease.epoch, leaseSeconds],
    query_timeout: answerWithinMs,
  };
  const { rowCount } = await pool.query(query);
  if (rowCount !== 1) throw new LeaseLostError(lease.sourceId);
}

/** Returns whether no other process has the lease. This may change a moment later: critical writes need the fence. */
export async function isHeld(pool: Pool, lease: Lease): Promise<boolean> {
  const { rowCount } = await pool.query(
    "SELECT 1 FROM source_lease WHERE source_id = $1 AND holder = $2 AND epoch = $3",
    [lease.sourceId, lease.holder, lease.epoch],
  );
  return rowCount === 1;
}

/** Lets the next recorder take over at once. */
export async function releaseLease(pool: Pool, lease: Lease): Promise<void> {
  await pool.query(
    "UPDATE source_lease SET expires_at = clock_timestamp() WHERE source_id = $1 AND holder = $2 AND epoch = $3",
    [lease.sourceId, lease.holder, lease.epoch],
  );
}

/**
 * Throws if we no longer hold the lease. This is the fence inside the transaction of every batch. Its lock keeps the
 * lease ours until the commit: a take-over waits for the batch, and a batch after a take-over fails here. It is KEY
 * SHARE and not SHARE because a long batch must not prevent its own recorder from renewing.
 */
export async function assertLease(tx: PoolClient, lease: Lease): Promise<void> {
  const { rowCount } = await tx.query(
    "SELECT 1 FROM source_lease WHERE source_id = $1 AND holder = $2 AND epoch = $3 FOR KEY SHARE",
    [lease.sourceId, lease.holder, lease.epoch],
  );
  if (rowCount !== 1) throw new LeaseLostError(lease.sourceId);
}
