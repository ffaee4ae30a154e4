import { type ActionName, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import type { Barrier } from "#lib/domain/acting/barrier.ts";
import type { OpenAction } from "#lib/domain/acting/describe-open-action.ts";
import type { ActionGate, Permit } from "#lib/domain/acting/judge-actions.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import type { FreezePeriod } from "#lib/domain/policy/freeze.ts";
import type { Target } from "#lib/domain/policy/rights.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { readBarriers } from "#lib/server/acting/permission/read-barriers.ts";
import {
  explainOtherCluster,
  explainStaleness,
  readRolloutSource,
  type SourceRow,
} from "#lib/server/clusters/sources/source-freshness.ts";
import { policiesOf } from "#lib/server/people/auth/policies-of.ts";
import { explainAbsence, type FullRolloutRow } from "#lib/server/people/permission/find-rollout.ts";
import { findOpenAction } from "#lib/server/records/action-store.ts";
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
  barrier: Barrier | undefined;
};

/** Returns the conditions by which the page, its preview, the inbox and the click judge every action at a place. */
export function makeGate(ctx: ActingContext, facts: GateFacts): ActionGate {
  const { runtime } = ctx;
  const { place, rollout, source, isHeld, unresolvedAction, barrier } = facts;
  const named = runtime.config().config.clusters.find(({ name }) => name === place.cluster);
  const obstacle = explainStaleness(source, isHeld) ?? (rollout === undefined ? null : explainAbsence(rollout));
  return {
    permit: permitOf(ctx, place, runtime.now()),
    access: named?.access ?? "unnamed",
    source: { fresh: obstacle === null, reason: obstacle },
    unresolvedAction,
    barrier,
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

/**
 * Builds the input of the policy check: the actor's rights, the place, the config as it is now, and the freezes that
 * people made.
 */
export function permitOf(
  { runtime, actor }: ActingContext,
  { cluster, namespace, kind, name }: Target,
  now: Date,
  freezes: readonly FreezePeriod[] = runtime.freezes(),
): Permit {
  const ofConfig = policiesOf(runtime.config().config.policies);
  const policies = freezes.length === 0 ? ofConfig : { ...ofConfig, freezes: [...ofConfig.freezes, ...freezes] };
  return { rights: actor.rights, policies, target: { cluster, namespace, kind, name }, now };
}

/** The place of a requested action. */
export type GatePlace = {
  place: ObjectRef;
  /** Undefined for a page, which shows all. */
  action?: ActionName;
  rolloutId: string;
  /** Undefined for a run or an Experiment that no rollout owns. */
  rollout: FullRolloutRow | undefined;
  uid: string;
  /** The kind whose watch covers it. */
  watchedKind: string;
};

type RolloutSource = NonNullable<Awaited<ReturnType<typeof readRolloutSource>>>;

/** Reads the current gate for the actions at a place, and the source that it is based on. */
export async function readGate(
  ctx: ActingContext,
  { place, action, rolloutId, rollout, uid, watchedKind }: GatePlace,
): Promise<{ gate: ActionGate; source: RolloutSource | undefined }> {
  const { runtime } = ctx;
  const { cluster, namespace } = place;
  // No set holds a protective action back: it does not wait for the state of the members.
  const isFree = rollout === undefined || (action !== undefined && isProtective(action));
  const [source, unresolvedAction, barrierOf] = await Promise.all([
    readRolloutSource(runtime, { cluster, namespace, kind: watchedKind, uid }),
    findOpenAction({ client: runtime.pool, rolloutId }),
    readBarriers(ctx, isFree ? [] : [place]),
  ]);
  return {
    gate: makeGate(ctx, {
      place,
      rollout,
      source,
      isHeld: source?.is_held,
      unresolvedAction,
      barrier: barrierOf(place),
    }),
    source,
  };
}

/** The same for a recorded rollout. */
export function readActionGate({ ctx, row }: { ctx: ActingContext; row: FullRolloutRow }): ReturnType<typeof readGate> {
  return readGate(ctx, { place: row, rolloutId: row.id, rollout: row, uid: row.uid, watchedKind: row.kind });
}
