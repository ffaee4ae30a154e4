import type { VersionPods } from "#lib/domain/delivery/version-pods.ts";
import { type Connection, readRow } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";
import type { FullRolloutRow } from "#lib/server/services/rollouts/find-rollout.ts";

/**
 * Returns the Job by which an analysis run of the rollout measured; empty if no recorded run of it did. Argo Rollouts
 * names a Job after its run's uid, the metric and a number (1.10.2, metricproviders/job/job.go newJobName).
 */
export async function listJobPods(
  pool: Connection,
  { row, job }: { row: Pick<FullRolloutRow, "id">; job: string },
): Promise<VersionPods[]> {
  const [uid = ""] = job.split(".", 1);
  const run = await readRow(
    pool,
    tables.selectFrom("analysis_run").select(["uid", "name"]).where("rollout_id", "=", row.id).where("uid", "=", uid),
  );
  return run === undefined
    ? []
    : [{ owner: { kind: "Job", name: job }, side: "other", revision: null, images: [], run }];
}
