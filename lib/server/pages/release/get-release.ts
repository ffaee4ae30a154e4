import { z } from "zod";
import type { Release } from "#lib/contract/rollout.ts";
import { readWaitSentences } from "#lib/server/pages/inbox/read-wait-sentences.ts";
import { linksOfRelease } from "#lib/server/pages/links/list-links.ts";
import { readReleaseActs } from "#lib/server/pages/release/read-release-acts.ts";
import { assertReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { type ReleaseRow, selectReleases, serializeRelease } from "#lib/server/records/release-row.ts";
import { teamOf } from "#lib/server/records/rollout-row.ts";

/** Returns one release. Throws `not_found`. */
export async function getRelease({ ctx, input }: Call<{ id: string }>): Promise<Release> {
  return describeRelease(ctx, await findRelease(ctx, input.id));
}

/** Finds a release. Throws `not_found`, also for one that the actor may not see. */
export async function findRelease({ runtime, actor }: ServiceContext, id: string): Promise<ReleaseRow> {
  const isId = z.uuid().safeParse(id).success;
  const row = isId ? await readRow(runtime.pool, selectReleases.where("l.id", "=", id)) : undefined;
  const missing = `There is no release ${id}.`;
  if (row === undefined) throw new ServiceError("not_found", missing);
  assertReadable(actor.rights, row, missing);
  return row;
}

/** Completes a release with what was done to it: at most `shownActs`, newest first. */
export async function describeRelease(
  ctx: ServiceContext,
  row: ReleaseRow,
  options?: { shownActs: number },
): Promise<Release> {
  const [acts, waits] = await Promise.all([
    readReleaseActs(ctx, [row.id], options),
    readWaitSentences(ctx.runtime, [row]),
  ]);
  return serializeRelease(row, {
    team: teamOf(ctx.runtime, row)?.name ?? null,
    sentence: waits.of(row),
    acts: acts.of(row.id),
    links: linksOfRelease(ctx.runtime, row),
  });
}
