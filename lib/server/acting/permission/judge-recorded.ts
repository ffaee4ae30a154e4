import type { AllowedAction } from "#lib/contract/rollout.ts";
import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import { judgeActions } from "#lib/domain/acting/judge-actions.ts";
import type { DeliveryObject } from "#lib/domain/delivery/provider.ts";
import type { RelatedState } from "#lib/domain/delivery/related-state.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { makeGate } from "#lib/server/acting/permission/action-gate.ts";
import { judgeFromCache } from "#lib/server/acting/permission/judge-at-cluster.ts";
import type { BarrierOf } from "#lib/server/acting/permission/read-barriers.ts";
import { isHeld, type SourceRow } from "#lib/server/clusters/sources/source-freshness.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import { isOpen } from "#lib/server/records/action-store.ts";
import { selectRollouts } from "#lib/server/records/rollout-row.ts";

/** The latest message of an open action; null without one. */
const unresolved = fragment<{ r: "rollout" }>()
  .selectFrom("action as a")
  .select("a.message")
  .whereRef("a.rollout_id", "=", "r.id")
  .where(isOpen)
  .limit(1);

/** Selects rollouts with what `judgeRecorded` needs. */
export const selectJudged = selectRollouts.select(["r.object", unresolved.as("unresolved"), isHeld.as("held")]);

export type JudgedRow = RowOf<typeof selectJudged>;

/** Judges actions of one of many rollouts by what is recorded; the cluster is not asked. */
export function judgeRecorded({
  ctx,
  row,
  rollout,
  related,
  sources,
  barrierOf,
  now,
  among,
}: {
  ctx: ActingContext;
  row: JudgedRow;
  /** Undefined if the recorded object cannot be parsed: it has no actions. */
  rollout: DeliveryObject | undefined;
  related: RelatedState;
  sources: readonly SourceRow[];
  barrierOf: BarrierOf;
  now: Date;
  /** Only these are judged. */
  among: readonly RolloutActionName[];
}): AllowedAction[] {
  if (rollout === undefined) return [];
  const own = sources.filter((source) => source.cluster === row.cluster && source.kind === row.kind);
  const source =
    own.find((candidate) => candidate.namespace === row.namespace) ??
    own.find((candidate) => candidate.namespace === "");
  const gate = makeGate(ctx, {
    place: row,
    rollout: row,
    source,
    isHeld: row.held,
    unresolvedAction: row.unresolved === null ? undefined : { lastHeard: row.unresolved },
    barrier: barrierOf(row),
  });
  const offers = rollout.acting.offer({ now, related, images: row.images, among });
  const actions = judgeActions(offers, gate).filter(({ action }) => among.includes(action));
  return judgeFromCache({ ctx, cluster: row.cluster, listAccess: rollout.acting.listAccess, actions });
}
