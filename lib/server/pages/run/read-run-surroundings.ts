import type { AnalysisRunDetail, RunMark } from "#lib/contract/analysis-run.ts";
import { clipWeights } from "#lib/domain/delivery/clip-weights.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { readEntryNumbers, selectTimeline } from "#lib/server/pages/rollout/list-rollout-timeline.ts";
import { formatTimelineText, nameAct } from "#lib/server/pages/rollout/timeline-text.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { RunRow } from "#lib/server/records/run-row.ts";

const most = 100;
const toleranceMs = 1000;

const kinds: Readonly<Record<string, RunMark["kind"]>> = {
  step: "step",
  pause: "pause",
  resume: "resume",
  action: "person",
  unasked: "person",
  abort: "abort",
  retry: "retry",
  revision: "revision",
};

/**
 * Reads what happened to the rollout while a run took place, oldest first. The cluster writes the times of a run in whole
 * seconds, so that what caused or followed it may lie a second outside. Refused requests did nothing and are left out.
 */
export async function readRunMarks(
  { pool }: Pick<Runtime, "pool">,
  run: Pick<RunRow, "rollout_id" | "started_at" | "completed_at">,
): Promise<RunMark[]> {
  const { started_at: startedAt, completed_at: completedAt } = run;
  if (startedAt === null) return [];
  const query = selectTimeline([run.rollout_id])
    .where("events.at", ">=", new Date(startedAt.getTime() - toleranceMs))
    .where("events.at", "<=", completedAt === null ? transactionTime : new Date(completedAt.getTime() + toleranceMs))
    .where("events.kind", "in", Object.keys(kinds))
    .orderBy("events.at")
    .orderBy("events.ord")
    .orderBy("events.id")
    .limit(most);
  const rows = await readRows(pool, query);
  return rows.flatMap((row) => {
    const kind = kinds[row.kind];
    const isRefused = row.act !== null && "state" in row.act && row.act.state === "refused";
    if (kind === undefined || isRefused) return [];
    return [
      {
        at: row.at.toISOString(),
        kind,
        text: formatTimelineText(row),
        did: nameAct(row.act),
        ...readEntryNumbers(row),
      },
    ];
  });
}

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
