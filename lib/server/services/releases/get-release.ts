import { z } from "zod";
import type { Release } from "#lib/contract/rollout.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { assertReadable } from "#lib/server/services/read-scope.ts";
import { readReleaseActs } from "#lib/server/services/releases/read-release-acts.ts";
import { type ReleaseRow, releaseColumns, serializeRelease } from "#lib/server/services/releases/release-row.ts";

/** Returns one release. Throws `not_found`. */
export async function getRelease({ ctx, input }: { ctx: ServiceContext; input: { id: string } }): Promise<Release> {
  const isId = z.uuid().safeParse(input.id).success;
  const { rows } = isId
    ? await ctx.runtime.pool.query<ReleaseRow>(
        `SELECT ${releaseColumns} FROM release l JOIN rollout r ON r.id = l.rollout_id WHERE l.id = $1`,
        [input.id],
      )
    : { rows: [] };
  const [row] = rows;
  const missing = `There is no release ${input.id}.`;
  if (row === undefined) throw new ServiceError("not_found", missing);
  assertReadable(ctx.actor.rights, row, missing);
  return serializeRelease(row, (await readReleaseActs(ctx, [row.id])).of(row.id));
}
