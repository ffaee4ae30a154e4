import type { OpenAction } from "#lib/domain/acting/describe-open-action.ts";
import type { ActionGate } from "#lib/domain/acting/judge-actions.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { permitOf } from "#lib/server/acting/permission/permit-of.ts";
import {
  explainOtherCluster,
  explainStaleness,
  type SourceRow,
} from "#lib/server/clusters/sources/source-freshness.ts";
import { explainAbsence } from "#lib/server/people/permission/find-rollout.ts";
import { quarantineBlock, type RolloutRow } from "#lib/server/records/rollout-row.ts";

/** The recorded facts about the place of an action. */
export type GateFacts = {
  place: ObjectRef;
  /** Undefined for a run or an Experiment that no rollout owns. */
  rollout: Pick<RolloutRow, "presence" | "is_quarantined"> | undefined;
  /** Undefined if it was never recorded. */
  source: SourceRow | undefined;
  /** Whether the source holds the rollout's disappearance. */
  isHeld: boolean | undefined;
  unresolvedAction: OpenAction | undefined;
};

/** Returns the conditions by which the page, its preview, the inbox and the click judge every action at a place. */
export function makeGate(ctx: ActingContext, facts: GateFacts): ActionGate {
  const { runtime } = ctx;
  const { place, rollout, source, isHeld, unresolvedAction } = facts;
  const named = runtime.config().config.clusters.find(({ name }) => name === place.cluster);
  const obstacle = explainStaleness(source, isHeld) ?? (rollout === undefined ? null : explainAbsence(rollout));
  return {
    permit: permitOf(ctx, place, runtime.now()),
    access: named?.access ?? "unnamed",
    source: { fresh: obstacle === null, reason: obstacle },
    unresolvedAction,
    configError: runtime.configStatus().state === "error",
    blocked: explainBlock(facts),
  };
}

/** Returns the reason to forbid every action, even protective ones. */
function explainBlock({ rollout, source }: GateFacts): ActionGate["blocked"] {
  if (rollout?.presence === "deleted")
    return { reasonCode: "deleted", reason: "The cluster has deleted this rollout." };
  if (rollout?.is_quarantined === true) return quarantineBlock;
  const otherCluster = explainOtherCluster(source);
  return otherCluster === undefined ? undefined : { reasonCode: "source_stale", reason: otherCluster };
}
