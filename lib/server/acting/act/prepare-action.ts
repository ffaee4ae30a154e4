import type { ProblemCode } from "#lib/contract/problem.ts";
import { type ActionName, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { type ActionPlan, type ActionRefusal, alsoDoneBy, type SeenPlan } from "#lib/domain/acting/plan.ts";
import type { PlanAnswer, PlanAsking, SeenView, SubjectAsking, ViewChange } from "#lib/domain/delivery/acting.ts";
import type { DeliveryObject, Provider } from "#lib/domain/delivery/provider.ts";
import { nothingRelated, type RelatedState } from "#lib/domain/delivery/related-state.ts";
import type { ReadFailure } from "#lib/domain/kube/cluster-reader.ts";
import { fetchRollout, type RolloutAddress } from "#lib/server/acting/act/rollout-api.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import type { GatePlace } from "#lib/server/acting/permission/action-gate.ts";
import { makeClusterIdentity } from "#lib/server/acting/permission/cluster-identity.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { readerOf } from "#lib/server/clusters/object-api.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";

/**
 * Nothing was changed. `stale`: the rollout as it is now; `change`: a difference that the view itself does not show.
 */
export type Refused = {
  outcome: "refused";
  code: ProblemCode;
  message: string;
  stale?: DeliveryObject;
  change?: ViewChange;
  /** The name of the freeze that refuses it. */
  policy?: string;
};

/** The plan and the state it was made from, as the user sees it now. */
export type LiveView = {
  /** Undefined for a run that no rollout owns. */
  rollout: DeliveryObject | undefined;
  plan: ActionPlan | ActionRefusal;
  choices?: Extract<PlanAnswer, { kind: "planned" }>["choices"];
};

export type Prepared = { rollout: DeliveryObject | undefined; plan: ActionPlan };

/** An action as requested, on a rollout, or on a run or an Experiment that may belong to one, with the way to its cluster. */
export type RequestedAction = { client: ClusterClient; as: ClusterIdentity; now: () => Date; provider: Provider } & (
  | ({ of: "rollout"; address: RolloutAddress } & Omit<PlanAsking, "now">)
  | ({ of: "subject"; address: RolloutAddress | undefined } & SubjectAsking)
);

/** The target of an action, however addressed: its place, the kind whose watch covers it, and the action to plan. */
export type ActionTarget = GatePlace & {
  action: ActionName;
  toRequestedAction: (at: { client: ClusterClient; as: ClusterIdentity; now: () => Date }) => RequestedAction;
};

/** Returns the state recorded with the rollout; nothing for a run or an Experiment. */
export function relatedStateOf(requested: RequestedAction): RelatedState {
  return requested.of === "rollout" ? requested.related : nothingRelated;
}

const staleMessage = "The rollout changed since you looked at it. Review the changes, then decide again.";

/** Reads everything again and plans. `check` may refuse based on the rollout before anything else is read. */
export async function readAndPlan(
  requested: RequestedAction,
  check: (rollout: DeliveryObject) => Refused | undefined = () => undefined,
): Promise<LiveView | Refused> {
  const { client, as, provider, address } = requested;
  const reader = readerOf({ client, as });
  if (address === undefined)
    return requested.of === "subject"
      ? viewOf(undefined, await provider.acting.planSubject(requested, reader))
      : { outcome: "refused", code: "internal", message: "There is no rollout to act on." };
  const fetched = await fetchRollout({ client, provider, as, address });
  if (fetched.kind !== "found") return refusalOfFetch(fetched);
  const { rollout } = fetched;
  const refused = check(rollout);
  if (refused !== undefined) return refused;
  if (requested.of === "subject") return viewOf(rollout, await rollout.acting.planSubject(requested, reader));
  // The controller times a pause by its cluster's clock, so plans use that clock too if the answer includes it.
  const now = fetched.date ?? requested.now();
  const { action, params, related, images } = requested;
  return viewOf(rollout, await rollout.acting.plan({ action, params, now, related, images }, reader));
}

function viewOf(rollout: DeliveryObject | undefined, answer: PlanAnswer): LiveView | Refused {
  switch (answer.kind) {
    case "planned":
      return { rollout, plan: answer.plan, choices: answer.choices };
    case "other-owner":
      return { outcome: "refused", code: "source_stale", message: otherOwnerMessage };
    case "unread":
      return refusalOfFetch(answer.failure, answer.what);
  }
}

const otherOwnerMessage =
  "Its owner in the cluster is not the recorded one, so Gatehouse cannot check the rules for that owner.";

/**
 * Returns the plan for the view that the person saw, or the refusal: the object is gone, the view is outdated, or the
 * planner refuses. Called at the click, and again after every conflict.
 */
export async function prepareAction({
  requested,
  seen,
  recordedUid,
}: {
  requested: RequestedAction;
  /** With the parts of the plan that the person was shown. */
  seen: SeenView & SeenPlan;
  /** Uid of the recorded rollout; undefined if it does not matter. */
  recordedUid?: string | undefined;
}): Promise<Prepared | Refused> {
  const protective = requested.of === "rollout" && isProtective(requested.action);
  const view = await readAndPlan(requested, (rollout) => {
    if (recordedUid !== undefined && rollout.metadata.uid !== recordedUid)
      return {
        outcome: "refused",
        code: "source_stale",
        message: "It was recreated, and the recorder has not seen the new one yet.",
      };
    if (rollout.acting.isAsSeen(seen, { protective })) return undefined;
    return { outcome: "refused", code: "stale_view", message: staleMessage, stale: rollout };
  });
  if ("outcome" in view) return view;
  // A run without an owner has no view to guard it: its uid must be the one that was seen.
  if (requested.of === "subject" && view.rollout === undefined && seen.uid !== requested.subject.uid)
    return {
      outcome: "refused",
      code: "stale_view",
      message: "No rollout owns it: send its own uid as expect.uid.",
    };
  const { plan, rollout } = view;
  if (plan.kind === "refused") return { outcome: "refused", code: problemOf(plan), message: plan.reason };
  const unseen = rollout?.acting.findUnseen(plan, seen);
  if (unseen !== undefined)
    return { outcome: "refused", code: "stale_view", message: unseen.message, stale: rollout, change: unseen.change };
  return { rollout, plan };
}

/**
 * Prepares it again after a conflict: the view that the person saw must still hold, and the new plan may do no more
 * than the one before, since only that was judged. Replica counts are not part of the view, but may decide which pauses
 * are passed.
 */
export async function prepareAgain({
  requested,
  seen,
  before,
}: {
  requested: RequestedAction;
  seen: SeenView;
  before: ActionPlan;
}): Promise<Prepared | Refused> {
  const { passesPauses = [], targetVersion } = before;
  const next = await prepareAction({ requested, seen: { ...seen, passesPauses, targetVersion } });
  if ("outcome" in next) return next;
  const { action } = requested;
  const judged = alsoDoneBy({ action, plan: before });
  if (alsoDoneBy({ action, plan: next.plan }).every((also) => judged.includes(also))) return next;
  return {
    outcome: "refused",
    code: "stale_view",
    message: staleMessage,
    ...(next.rollout && { stale: next.rollout }),
  };
}

/**
 * Maps a refusal to a problem code. A request that makes no sense for any rollout is invalid; others are not allowed
 * now.
 */
function problemOf({ reasonCode }: ActionRefusal): ProblemCode {
  return ["bad_image", "bad_time", "params_missing"].includes(reasonCode) ? "invalid_request" : "not_allowed_now";
}

const things = {
  rollout: "rollout",
  run: "run",
  experiment: "experiment",
  history: "revision history",
  workload: "workload",
} as const;

export function refusalOfFetch(fetched: ReadFailure, what: keyof typeof things = "rollout"): Refused {
  const thing = things[what];
  switch (fetched.kind) {
    case "missing":
      return { outcome: "refused", code: "not_found", message: `The ${thing} no longer exists in the cluster.` };
    case "refused":
      return { outcome: "refused", code: "cluster_refused", message: `The cluster refused it: ${fetched.message}` };
    case "unusable":
      return {
        outcome: "refused",
        code: "not_allowed_now",
        message: `Gatehouse cannot parse the cluster's object, so it refuses to act on it: ${fetched.message}.`,
      };
    case "unreachable":
      return {
        outcome: "refused",
        code: "unavailable",
        message: `The ${thing} could not be read: ${fetched.message}.`,
      };
  }
}

/**
 * Resolves with the client of a cluster and the actor's identity there. Rejects with `read_only` if the config no longer
 * names the cluster, with `forbidden` if the actor has no identity there.
 */
export async function reachCluster(
  { runtime, actor }: ActingContext,
  name: string,
): Promise<{ client: ClusterClient; as: ClusterIdentity; now: () => Date }> {
  const cluster = runtime.config().config.clusters.find((candidate) => candidate.name === name);
  const client = runtime.cluster(name);
  if (cluster === undefined || client === undefined)
    throw new ServiceError("read_only", `Cluster ${name} is no longer in the config.`);
  return { client, as: makeClusterIdentity({ actor, cluster }), now: runtime.now };
}
