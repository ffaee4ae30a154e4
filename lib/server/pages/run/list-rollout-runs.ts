import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import type { ListPage, ListQuery } from "#lib/contract/common.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { readRuns } from "#lib/server/pages/run/list-runs.ts";
import { findRolloutIds } from "#lib/server/people/permission/find-rollout.ts";
import type { Call } from "#lib/server/process/service-context.ts";

/** Lists analysis runs of one rollout, live and past, newest first. Throws `not_found`. */
export async function listRolloutRuns({
  ctx,
  input,
}: Call<RolloutPath & ListQuery>): Promise<ListPage<AnalysisRunSummary>> {
  const rolloutIds = await findRolloutIds(ctx, input);
  return readRuns(ctx, { rolloutIds, limit: input.limit, cursor: input.cursor });
}
