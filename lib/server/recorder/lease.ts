import type { Pool, PoolClient } from "pg";

/** The right to write one source. `epoch` rises with each change of hands. */
export type Lease = { sourceId: string; holder: string; epoch: string };

export const leaseSeconds = 10;

/** Another process holds the source now: whatever was not committed is not ours to write any more. */
export class LeaseLostError extends Error {
  constructor(sourceId: string) {
    super(`the lease of source ${sourceId} is held by another recorder`);
    this.name = "LeaseLostError";
  }
}

/** Takes the lease where nobody holds it, judged by the database's clock. Undefined while somebody else does. */
export async function acquireLease(
  pool: Pool,
  { sourceId, holder }: { sourceId: string; holder: string },
): Promise<Lease | undefined> {
  const { rows } = await pool.query<{ epoch: string }>(
    `INSERT INTO source_lease (source_id, holder, epoch, expires_at)
     VALUES ($1, $2, 1, clock_timestamp() + make_interval(secs => $3))
     ON CONFLICT (source_id) DO UPDATE
       SET holder = EXCLUDED.holder, epoch = source_lease.epoch + 1, expires_at = EXCLUDED.expires_at
       WHERE source_lease.expires_at <= clock_timestamp() OR source_lease.holder = EXCLUDED.holder
     RETURNING epoch::text`,
    [sourceId, holder, leaseSeconds],
  );
  const epoch = rows[0]?.epoch;
  return epoch === undefined ? undefined : { sourceId, holder, epoch };
}

/** Throws `LeaseLostError` where the lease is not ours any more. */
export async function renewLease(pool: Pool, lease: Lease): Promise<void> {
  const { rowCount } = await pool.query(
    `UPDATE source_lease SET expires_at = clock_timestamp() + make_interval(secs => $4)
      WHERE source_id = $1 AND holder = $2 AND epoch = $3`,
    [lease.sourceId, lease.holder, lease.epoch, leaseSeconds],
  );
  if (rowCount !== 1) throw new LeaseLostError(lease.sourceId);
}

/** Lets the next recorder take over at once. */
export async function releaseLease(pool: Pool, lease: Lease): Promise<void> {
  await pool.query(
    "UPDATE source_lease SET expires_at = clock_timestamp() WHERE source_id = $1 AND holder = $2 AND epoch = $3",
    [lease.sourceId, lease.holder, lease.epoch],
  );
}

/**
 * The fence: inside the transaction of every batch. FOR SHARE keeps the row as it is until the commit, so a take-over
 * waits for the batch, and a batch after a take-over fails here.
 */
export async function assertLease(tx: PoolClient, lease: Lease): Promise<void> {
  const { rowCount } = await tx.query(
    "SELECT 1 FROM source_lease WHERE source_id = $1 AND holder = $2 AND epoch = $3 FOR SHARE",
    [lease.sourceId, lease.holder, lease.epoch],
  );
  if (rowCount !== 1) throw new LeaseLostError(lease.sourceId);
}
