import type { ListPage, ListQuery } from "#lib/contract/common.ts";
import type { Release, RolloutPath } from "#lib/contract/rollout.ts";
import { readReleases } from "#lib/server/pages/release/list-releases.ts";
import { findRolloutIds } from "#lib/server/people/permission/find-rollout.ts";
import type { Call } from "#lib/server/process/service-context.ts";

/** Lists releases of one rollout, newest first. Throws `not_found`. */
export async function listRolloutReleases({ ctx, input }: Call<RolloutPath & ListQuery>): Promise<ListPage<Release>> {
  const rolloutIds = await findRolloutIds(ctx, input);
  return readReleases(ctx, { rolloutIds, limit: input.limit, cursor: input.cursor });
}
