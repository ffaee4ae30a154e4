import { z } from "zod";
import type { Release } from "#lib/contract/rollout.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import { readRow } from "#lib/server/db/run-query.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { linksOfRelease } from "#lib/server/services/links/links-of-release.ts";
import { assertReadable } from "#lib/server/services/read-scope.ts";
import { readReleaseActs } from "#lib/server/services/releases/read-release-acts.ts";
import { selectReleases, serializeRelease } from "#lib/server/services/releases/release-row.ts";

/** Returns one release. Throws `not_found`. */
export async function getRelease({ ctx, input }: { ctx: ServiceContext; input: { id: string } }): Promise<Release> {
  const isId = z.uuid().safeParse(input.id).success;
  const row = isId ? await readRow(ctx.runtime.pool, selectReleases.where("l.id", "=", input.id)) : undefined;
  const missing = `There is no release ${input.id}.`;
  if (row === undefined) throw new ServiceError("not_found", missing);
  assertReadable(ctx.actor.rights, row, missing);
  const acts = await readReleaseActs(ctx, [row.id]);
  return serializeRelease(row, { acts: acts.of(row.id), links: linksOfRelease(ctx.runtime, row) });
}
