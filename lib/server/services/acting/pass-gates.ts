import { assessView } from "#lib/domain/argo/guard-view.ts";
import { actionRules } from "#lib/domain/argo/list-allowed-actions.ts";
import { type ActionPlan, type PlannedActionName, planAction } from "#lib/domain/argo/plan-action.ts";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/rollout-object.ts";
import type { ActionAttempt, Refusal } from "#lib/server/acting/action-attempt.ts";
import { hasUnresolvedAction } from "#lib/server/acting/action-store.ts";
import { refusalOfFetch, staleMessage } from "#lib/server/acting/carry-out-plan.ts";
import { makeClusterIdentity } from "#lib/server/acting/cluster-identity.ts";
import { describeStaleView } from "#lib/server/acting/describe-stale-view.ts";
import { fetchRollout } from "#lib/server/acting/rollout-api.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/kubernetes/cluster-client-types.ts";
import { explainAbsence, type FullRolloutRow } from "#lib/server/services/rollouts/find-rollout.ts";
import { quarantineBlock } from "#lib/server/services/rollouts/rollout-row.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";
import {
  explainOtherCluster,
  explainStaleness,
  readRolloutSource,
} from "#lib/server/services/system/source-freshness.ts";

/** What an action that may go on goes on with. */
export type Gate = { client: ClusterClient; as: ClusterIdentity; rollout: RolloutObject; plan: ActionPlan };

/**
 * Everything that may refuse before the intent: access, identity, unresolved actions, freshness, the object as the
 * user sees it, the view, the plan. Protective actions ask no freshness: for them a successful GET is enough.
 */
export async function passGates({
  attempt,
  recorded,
  action,
}: {
  attempt: ActionAttempt;
  recorded: FullRolloutRow;
  action: PlannedActionName;
}): Promise<Gate | Refusal> {
  const { ctx, path, request } = attempt;
  const { protective } = actionRules[action];
  const { runtime } = ctx;
  const cluster = runtime.config().config.clusters.find(({ name }) => name === path.cluster);
  const client = runtime.cluster(path.cluster);
  if (cluster === undefined || client === undefined)
    return { code: "read_only", message: `The config does not name cluster ${path.cluster} any more.` };
  if (cluster.access !== "act")
    return { code: "read_only", message: `Gatehouse only reads cluster ${path.cluster} (access: read in its config).` };
  const as = identityOf({ attempt, cluster });
  if ("code" in as) return as;
  if (await hasUnresolvedAction({ pool: runtime.pool, rolloutId: recorded.id }))
    return {
      code: "not_allowed_now",
      message: "The outcome of an earlier action is not known yet; it is being read back from the cluster.",
    };
  const source = await readRolloutSource(runtime, { ...path, uid: recorded.uid });
  if (recorded.is_quarantined || !parseRollout(recorded.object).ok)
    return { code: "not_allowed_now", message: quarantineBlock.reason };
  const otherCluster = explainOtherCluster(source);
  if (otherCluster !== undefined) return { code: "source_stale", message: otherCluster };
  if (!protective) {
    const { trouble } = runtime.configStatus();
    if (trouble?.state === "error")
      return { code: "config_error", message: `Until the config is mended nothing advances: ${trouble.error}.` };
    const stale = explainStaleness(source, source?.is_held) ?? explainAbsence(recorded);
    if (stale !== null) return { code: "source_stale", message: `${stale} Nothing advances on old knowledge.` };
  }
  const fetched = await fetchRollout({ client, address: path, as });
  if (fetched.kind !== "found") return refusalOfFetch(fetched);
  const { rollout } = fetched;
  if (!protective && rollout.metadata.uid !== recorded.uid)
    return { code: "source_stale", message: "It was created again, and the recorder has not seen the new one yet." };
  if (!assessView({ rollout, seen: request.expect, protective }).current) return refuseStale({ attempt, rollout });
  const plan = planAction({ action, rollout });
  if (plan.kind === "refused") return { code: "not_allowed_now", message: plan.reason };
  return { client, as, rollout, plan };
}

function identityOf({
  attempt,
  cluster,
}: {
  attempt: ActionAttempt;
  cluster: Parameters<typeof makeClusterIdentity>[0]["cluster"];
}): ClusterIdentity | Refusal {
  try {
    return makeClusterIdentity({ actor: attempt.ctx.actor, cluster });
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, message: error.message };
    throw error;
  }
}

/** The refusal of a view that is no longer current, with what a person needs to decide anew. */
export async function refuseStale({
  attempt,
  rollout,
}: {
  attempt: ActionAttempt;
  rollout: RolloutObject;
}): Promise<Refusal> {
  const { ctx, path, request } = attempt;
  const { changes, current } = await describeStaleView({
    pool: ctx.runtime.pool,
    path,
    seenDigest: request.expect.viewDigest,
    rollout,
    role: ctx.actor.role,
  });
  return { code: "stale_view", message: staleMessage, extra: { changes, current } };
}
