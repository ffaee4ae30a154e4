import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import { clipWeights } from "#lib/domain/delivery/clip-weights.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { RunRow } from "#lib/server/records/run-row.ts";

/** Reads the set weight of the run's own revision over the time of the run, as observed. */
export async function readWeights(
  runtime: Runtime,
  run: Pick<RunRow, "rollout_id" | "pod_hash" | "type" | "step_index" | "started_at" | "completed_at">,
): Promise<AnalysisRunDetail["weights"]> {
  const { started_at: startedAt, pod_hash: podHash } = run;
  if (startedAt === null || podHash === null) return [];
  const selectPoints = tables
    .with("own", (db) =>
      db
        .selectFrom("observation")
        .select(["id", "observed_at", "step", "weight_set", "abort_asked"])
        .where("rollout_id", "=", run.rollout_id)
        .where("run_key", "=", podHash)
        .where("observed_at", "<=", run.completed_at ?? transactionTime),
    )
    .selectFrom("own")
    .select(["observed_at as at", "step", "weight_set as weight", "abort_asked as abort"])
    .where((eb) => {
      const before = eb
        .selectFrom("own")
        .select(({ fn }) => fn.max("id").as("id"))
        .where("observed_at", "<=", startedAt);
      return eb("id", ">=", eb.fn.coalesce(before, eb.val("0")).$castTo<string>());
    })
    .orderBy("id")
    .limit(2000);
  const [points, rollout] = await Promise.all([
    readRows(runtime.pool, selectPoints),
    prismaOn(runtime.pool).rollout.findFirst({
      where: { id: run.rollout_id },
      select: { kind: true, object: true },
    }),
  ]);
  if (rollout === null) return [];
  const parsed = providerOfKind(rollout.kind).parse(rollout.object);
  const steps = parsed.ok ? parsed.value.weightSteps : undefined;
  if (steps === undefined) return [];
  return clipWeights({
    run: {
      podHash,
      stepIndex: run.type === "Step" ? run.step_index : null,
      startedAt: startedAt.toISOString(),
      completedAt: run.completed_at?.toISOString() ?? null,
    },
    points: points.map((point) => ({ ...point, at: point.at.toISOString(), podHash })),
    steps,
  });
}
