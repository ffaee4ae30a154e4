import type { ReleaseRun } from "#lib/contract/rollout.ts";
import { findDecidingRun } from "#lib/domain/delivery/find-deciding-run.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { isRunSince } from "#lib/server/records/release-row.ts";
import type { RolloutRow } from "#lib/server/records/rollout-row.ts";
import { asPhase, isContradicted } from "#lib/server/records/run-row.ts";

export const selectReleaseRuns = tables
  .selectFrom("analysis_run as a")
  .select(["a.uid", "a.name", "a.type", "a.step_index", "a.phase", "a.message", "a.started_at", "a.completed_at"])
  .select(isContradicted.as("contradiction"));

/** Serializes runs of a release; `findDeciding` returns the index of the one that caused its state, or -1. */
function serializeReleaseRuns(
  rows: readonly RowOf<typeof selectReleaseRuns>[],
  findDeciding: (runs: readonly Omit<ReleaseRun, "decided">[]) => number,
): ReleaseRun[] {
  const runs = rows.map(serializeRun);
  const deciding = findDeciding(runs);
  return runs.map((run, index) => ({ ...run, decided: index === deciding }));
}

export function serializeRun(row: RowOf<typeof selectReleaseRuns>): Omit<ReleaseRun, "decided"> {
  return {
    uid: row.uid,
    name: row.name,
    type: row.type,
    stepIndex: row.step_index,
    phase: asPhase(row.phase),
    message: row.message,
    startedAt: row.started_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    contradiction: row.contradiction,
  };
}

const selectRuns = selectReleaseRuns
  .where("a.type", "<>", "Experiment")
  .orderBy("a.created_at", "desc")
  .orderBy("a.uid")
  .limit(20);

/**
 * Reads the analyses of a rollout's current release, newest first: those of the newest attempt of its revision. The
 * cluster writes their times in whole seconds. Runs of Experiments are included.
 */
export async function readReleaseRuns(
  runtime: Runtime,
  rollout: Pick<RolloutRow, "id" | "revision_key" | "phase" | "attention_reason">,
  { aborted, isPluginFailed }: { aborted: boolean; isPluginFailed: boolean },
): Promise<ReleaseRun[]> {
  const query = selectRuns
    .where("a.rollout_id", "=", rollout.id)
    .where("a.pod_hash", "=", rollout.revision_key)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom("release as l")
            .select("l.id")
            .where("l.rollout_id", "=", rollout.id)
            .where("l.run_key", "=", rollout.revision_key)
            .where("l.attempt", ">", 1)
            .where(({ ref }) => not(isRunSince(ref("l.started_at")))),
        ),
      ),
    );
  const rows = await readRows(runtime.pool, query);
  const { phase, attention_reason: attention } = rollout;
  return serializeReleaseRuns(rows, (runs) => findDecidingRun(runs, { aborted, isPluginFailed, phase, attention }));
}
