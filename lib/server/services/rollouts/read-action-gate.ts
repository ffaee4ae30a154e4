import type { ActionGate } from "#lib/domain/acting/judge-actions.ts";
import { findOpenAction } from "#lib/server/acting/action-store.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { permitOf } from "#lib/server/services/acting/permit-of.ts";
import { explainAbsence, type FullRolloutRow } from "#lib/server/services/rollouts/find-rollout.ts";
import { accessOf, quarantineBlock } from "#lib/server/services/rollouts/rollout-row.ts";
import { explainOtherCluster, explainStaleness, readRolloutSource } from "#lib/server/sources/source-freshness.ts";

type RolloutSource = NonNullable<Awaited<ReturnType<typeof readRolloutSource>>>;

/** What stands before the actions on a recorded rollout now, for the page as for the answer to a stale view. */
export async function readActionGate({
  ctx,
  row,
}: {
  ctx: ServiceContext;
  row: FullRolloutRow;
}): Promise<{ gate: ActionGate; source: RolloutSource | undefined }> {
  const { runtime } = ctx;
  const [source, unresolvedAction] = await Promise.all([
    readRolloutSource(runtime, row),
    findOpenAction({ client: runtime.pool, rolloutId: row.id }),
  ]);
  const obstacle = explainStaleness(source, source?.is_held) ?? explainAbsence(row);
  const gate: ActionGate = {
    permit: permitOf(ctx, row, runtime.now()),
    access: accessOf(runtime, row.cluster),
    source: { fresh: obstacle === null, reason: obstacle },
    unresolvedAction,
    configError: runtime.configStatus().state === "error",
    blocked: explainBlock(row, source),
  };
  return { gate, source };
}

/** What forbids every action, protective ones too. */
function explainBlock(row: FullRolloutRow, source: RolloutSource | undefined): ActionGate["blocked"] {
  if (row.presence === "deleted") return { reasonCode: "deleted", reason: "The cluster has deleted this rollout." };
  if (row.is_quarantined) return quarantineBlock;
  const otherCluster = explainOtherCluster(source);
  return otherCluster === undefined ? undefined : { reasonCode: "source_stale", reason: otherCluster };
}
