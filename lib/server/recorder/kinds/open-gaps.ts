import type { PoolClient } from "pg";

/**
 * Inserts gaps for runs that vanished unseen before they ended. What each unfinished metric measured since then is
 * lost: at least the measurement in flight. The exact number is unknown, so the gap stays open.
 */
export async function insertOpenGaps(tx: PoolClient, uids: readonly string[]): Promise<void> {
  await tx.query(
    `INSERT INTO measurement_gap (run_uid, metric, after_seq, count, open)
     SELECT run.uid, metric.name, last.seq,
       (EXISTS (SELECT FROM measurement m WHERE m.rollout_id = run.rollout_id AND m.run_uid = run.uid
          AND m.metric = metric.name AND m.finished_at IS NULL AND m.seq > last.seq))::int, true
       FROM analysis_run run JOIN metric ON metric.run_uid = run.uid
       CROSS JOIN LATERAL (
         SELECT GREATEST(metric.count + metric.error,
           (SELECT max(m.seq) FROM measurement m WHERE m.rollout_id = run.rollout_id AND m.run_uid = run.uid
              AND m.metric = metric.name AND m.finished_at IS NOT NULL)) AS seq) AS last
      WHERE run.uid = ANY($1::text[]) AND run.presence = 'live' AND run.completed_at IS NULL
        AND metric.phase NOT IN ('Successful', 'Failed', 'Error', 'Inconclusive')
     ON CONFLICT DO NOTHING`,
    [uids],
  );
}

/** Deletes the gaps of runs that exist after all: only what their counters will tell is lost. */
export async function deleteOpenGaps(tx: PoolClient, uids: readonly string[]): Promise<void> {
  if (uids.length > 0) await tx.query("DELETE FROM measurement_gap WHERE run_uid = ANY($1::text[]) AND open", [uids]);
}
