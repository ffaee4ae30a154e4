import type { ReleaseRun } from "#lib/contract/rollout.ts";
import { findDecidingRun } from "#lib/domain/delivery/find-deciding-run.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { asPhase, type RunRow } from "#lib/server/services/analysis-runs/run-row.ts";
import type { RolloutRow } from "#lib/server/services/rollouts/rollout-row.ts";

const most = 20;

type Row = Pick<
  RunRow,
  "uid" | "name" | "type" | "step_index" | "phase" | "message" | "started_at" | "completed_at" | "contradiction"
>;

/**
 * Reads the analyses of a rollout's current release, newest first: those of the newest attempt of its revision. The
 * cluster writes their times in whole seconds. Runs of Experiments are included.
 */
export async function readReleaseRuns(
  runtime: Runtime,
  rollout: Pick<RolloutRow, "id" | "revision_key" | "phase" | "attention_reason">,
  { aborted }: { aborted: boolean },
): Promise<ReleaseRun[]> {
  const { rows } = await runtime.pool.query<Row>(
    `SELECT a.uid, a.name, a.type, a.step_index, a.phase, a.message, a.started_at, a.completed_at,
       COALESCE(a.verdict_check ->> 'state' = 'contradicts', false) AS contradiction
     FROM analysis_run a
     WHERE a.rollout_id = $1 AND a.pod_hash = $2 AND a.type <> 'Experiment' AND a.created_at >= COALESCE((
       SELECT max(l.started_at) - interval '1 second' FROM release l
       WHERE l.rollout_id = $1 AND l.run_key = $2 AND l.attempt > 1), '-infinity')
     ORDER BY a.created_at DESC, a.uid LIMIT ${most}`,
    [rollout.id, rollout.revision_key],
  );
  const runs = rows.map((row) => ({
    uid: row.uid,
    name: row.name,
    type: row.type,
    stepIndex: row.step_index,
    phase: asPhase(row.phase),
    message: row.message,
    startedAt: row.started_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    contradiction: row.contradiction,
  }));
  const deciding = findDecidingRun(runs, { aborted, phase: rollout.phase, attention: rollout.attention_reason });
  return runs.map((run, index) => ({ ...run, decided: index === deciding }));
}
