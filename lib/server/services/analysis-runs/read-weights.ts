import { z } from "zod";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import { clipWeights } from "#lib/domain/delivery/clip-weights.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { RunRow } from "#lib/server/services/analysis-runs/run-row.ts";

type PointRow = { at: Date; step: number | null; weight: number | null; abort: boolean };

const Steps = z.array(z.object({ setWeight: z.number().optional().catch(undefined) }));

/** Reads the set weight of the run's own revision over the time of the run, as observed. */
export async function readWeights(
  runtime: Runtime,
  run: Pick<RunRow, "rollout_id" | "pod_hash" | "type" | "step_index" | "started_at" | "completed_at">,
): Promise<AnalysisRunDetail["weights"]> {
  const { started_at: startedAt, pod_hash: podHash } = run;
  if (startedAt === null || podHash === null) return [];
  const [points, strategy] = await Promise.all([
    runtime.pool.query<PointRow>(
      `WITH own AS (
         SELECT id, observed_at, step, weight_set, abort_asked FROM observation
         WHERE rollout_id = $1 AND run_key = $4 AND observed_at <= COALESCE($3, now()))
       SELECT observed_at AS at, step, weight_set AS weight, abort_asked AS abort FROM own WHERE id >= COALESCE((SELECT max(id) FROM own WHERE observed_at <= $2), 0) ORDER BY id LIMIT 2000`,
      [run.rollout_id, startedAt, run.completed_at, podHash],
    ),
    runtime.pool.query<{ strategy: string | null; steps: unknown }>(
      "SELECT strategy, object #> '{spec,strategy,canary,steps}' AS steps FROM rollout WHERE id = $1",
      [run.rollout_id],
    ),
  ]);
  const [{ strategy: name, steps } = { strategy: null, steps: [] }] = strategy.rows;
  if (name !== "Canary") return [];
  return clipWeights({
    run: {
      podHash,
      stepIndex: run.type === "Step" ? run.step_index : null,
      startedAt: startedAt.toISOString(),
      completedAt: run.completed_at?.toISOString() ?? null,
    },
    points: points.rows.map((point) => ({ ...point, at: point.at.toISOString(), podHash })),
    steps: Steps.safeParse(steps).data ?? [],
  });
}
