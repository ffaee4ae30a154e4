import type { RunMark } from "#lib/contract/analysis-run.ts";
import { selectTimeline } from "#lib/server/pages/rollout/list-rollout-timeline.ts";
import { formatTimelineText } from "#lib/server/pages/rollout/timeline-text.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { RunRow } from "#lib/server/records/run-row.ts";

const most = 100;
const toleranceMs = 1000;

const kinds: Readonly<Record<string, RunMark["kind"]>> = {
  step: "step",
  pause: "pause",
  resume: "pause",
  action: "person",
  unasked: "person",
  abort: "other",
  retry: "other",
  revision: "other",
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
        auditSeq: row.audit_seq === null ? null : Number(row.audit_seq),
      },
    ];
  });
}
