import type { Pool } from "pg";

type Queryable = Pick<Pool, "query">;

const name = "retention";
/** Longer than any single step takes; the lock of a run that died expires after it. */
const holdMinutes = 15;

export type RetentionState = { doneAt: Date | null; outcome: string | null; message: string | null };

/** Claims the right to delete now; returns whether it succeeded. Only one run at a time, whoever started it. */
export async function claimRetention(client: Queryable, holder: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `INSERT INTO retention_run AS r (name, holder, expires_at, started_at)
     VALUES ($1, $2, clock_timestamp() + make_interval(mins => $3), clock_timestamp())
     ON CONFLICT (name) DO UPDATE SET holder = EXCLUDED.holder, expires_at = EXCLUDED.expires_at,
       started_at = EXCLUDED.started_at
     WHERE r.holder IS NULL OR r.expires_at < clock_timestamp()`,
    [name, holder, holdMinutes],
  );
  return rowCount === 1;
}

/** Renews the claim between two steps. Throws if another process has taken over since. */
export async function renewRetention(client: Queryable, holder: string): Promise<void> {
  const { rowCount } = await client.query(
    `UPDATE retention_run SET expires_at = clock_timestamp() + make_interval(mins => $3)
      WHERE name = $1 AND holder = $2 AND expires_at > clock_timestamp()`,
    [name, holder, holdMinutes],
  );
  if (rowCount !== 1) throw new Error("another process has taken the deletion over");
}

/** Ends a run. An incomplete run leaves the time of the last complete one. */
export async function endRetention(
  client: Queryable,
  { holder, outcome, message, isDone }: { holder: string; outcome: string; message: string; isDone: boolean },
): Promise<void> {
  await client.query(
    `UPDATE retention_run SET holder = NULL, expires_at = NULL, outcome = $3, message = $4,
       done_at = CASE WHEN $5 THEN clock_timestamp() ELSE done_at END
      WHERE name = $1 AND holder = $2`,
    [name, holder, outcome, message.slice(0, 2000), isDone],
  );
}

/** Reads the state; undefined before the first run. `isDue`: no run has completed within a day. */
export async function readRetentionState(
  client: Queryable,
): Promise<{ state: RetentionState | undefined; isDue: boolean }> {
  const { rows } = await client.query<RetentionState & { isDue: boolean }>(
    `SELECT done_at AS "doneAt", outcome, message,
       (done_at IS NULL OR done_at < clock_timestamp() - interval '1 day') AS "isDue"
       FROM retention_run WHERE name = $1`,
    [name],
  );
  return { state: rows[0], isDue: rows[0]?.isDue ?? true };
}
