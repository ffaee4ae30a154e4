import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { Claim } from "#lib/contract/wait-handling.ts";
import { auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { assertMayClaim, claimColumns, findClaim } from "#lib/server/pages/inbox/claim.ts";
import { findWait } from "#lib/server/people/permission/find-wait.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { logRolloutChange } from "#lib/server/platform/db/log-change.ts";
import { type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";

const deleteClaim = tables.deleteFrom("wait_mark").where("kind", "=", "claim").returning(claimColumns);

/** Gives up the actor's own claim. Throws `conflict` without one: another person's is taken over instead. */
export async function releaseClaim({ ctx, input }: Call<RolloutPath>): Promise<Claim> {
  const { actor, runtime } = ctx;
  const row = await findWait(ctx, input);
  assertMayClaim(ctx, row);
  const held = await findClaim(runtime.pool, row.id);
  if (held === undefined) throw nobody();
  if (held.by !== actorKey(actor))
    throw new ServiceError(
      "conflict",
      `${held.byName} is on it, and only they can give that up. Take it over instead.`,
    );
  let released: RowOf<typeof deleteClaim> | undefined;
  await appendChange(ctx, {
    code: "inbox.claim-released",
    target: auditTargetOf(row),
    within: async (client) => {
      released = await readRow(client, deleteClaim.where("rollout_id", "=", row.id).where("id", "=", held.id));
      if (released === undefined) throw nobody();
      await logRolloutChange(client, row);
    },
  });
  if (released === undefined) throw new Error("the released claim was not returned");
  const { id, at, expiresAt } = released;
  return { id, who: actor.name, isMine: true, at: at.toISOString(), expiresAt: expiresAt.toISOString() };
}

function nobody(): ServiceError {
  return new ServiceError("conflict", "You have no claim on this rollout, or it has expired.");
}
