import type { Pool, PoolClient } from "pg";

/** Both digests of a removal: confirming one change says nothing about another. */
export type ConfigChange = { digest: string; replaces: string };

/**
 * Returns whether an admin has confirmed within the last hour, by the database's clock, that one file may replace the
 * other. An hour is long enough for every replica to see it, and too short to accept the same fault another day.
 */
export async function isChangeConfirmed(pool: Pool, { digest, replaces }: ConfigChange): Promise<boolean> {
  const { rowCount } = await pool.query(
    `SELECT 1 FROM config_confirmation WHERE digest = $1 AND replaces = $2
       AND confirmed_at > clock_timestamp() - interval '1 hour'`,
    [digest, replaces],
  );
  return rowCount === 1;
}

export async function confirmChange(
  tx: PoolClient,
  { digest, replaces, confirmedBy, reason }: ConfigChange & { confirmedBy: string; reason: string },
): Promise<void> {
  await tx.query(
    `INSERT INTO config_confirmation (digest, replaces, confirmed_by, reason) VALUES ($1, $2, $3, $4)
     ON CONFLICT (digest, replaces) DO UPDATE SET confirmed_at = clock_timestamp(),
       confirmed_by = EXCLUDED.confirmed_by, reason = EXCLUDED.reason`,
    [digest, replaces, confirmedBy, reason],
  );
}
