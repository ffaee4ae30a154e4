import type { ProblemCode } from "#lib/contract/problem.ts";
import { isProtective, type RolloutActionName, type SubjectActionName } from "#lib/domain/acting/action-catalogue.ts";
import type { ActionParams, ActionSubject } from "#lib/domain/acting/action-params.ts";
import type { ActionRefusal } from "#lib/domain/acting/plan.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { findUnnamedPasses } from "#lib/domain/argo/plan/guard-passes.ts";
import { planAction } from "#lib/domain/argo/plan/plan-action.ts";
import type { LiveObjects } from "#lib/domain/argo/plan/plan-revisions.ts";
import { planSubjectAction, type SubjectObject } from "#lib/domain/argo/plan/plan-terminate.ts";
import type { ArgoPlan } from "#lib/domain/argo/plan/plan-types.ts";
import { assessView, type SeenView } from "#lib/domain/argo/view/guard-view.ts";
import type { TaggedImage } from "#lib/domain/argo/view/name-versions.ts";
import type { ViewChange } from "#lib/domain/argo/view/view-changes.ts";
import { controllerOf, type OwnerReference } from "#lib/domain/kube/kube-object.ts";
import type { FetchFailure } from "#lib/server/acting/object-api.ts";
import { readLiveObjects, readSubject } from "#lib/server/acting/read-live.ts";
import { fetchRollout, type RolloutAddress } from "#lib/server/acting/rollout-api.ts";
import type { ClusterClient, ClusterIdentity } from "#lib/server/kubernetes/cluster-client-types.ts";

/** Nothing was changed. `stale` carries the rollout as it is now, `change` what the view itself does not tell. */
export type Refused = {
  outcome: "refused";
  code: ProblemCode;
  message: string;
  stale?: RolloutObject;
  change?: ViewChange;
};

/** Everything that a plan is made of, as the user sees it now. */
export type LiveView = {
  /** Undefined for a run that no rollout owns. */
  rollout: RolloutObject | undefined;
  live: LiveObjects | undefined;
  subject: SubjectObject | undefined;
  plan: ArgoPlan | ActionRefusal;
};

export type Prepared = { rollout: RolloutObject | undefined; plan: ArgoPlan };

/** What is asked for: of a rollout, or of a run or an Experiment that may belong to one. */
export type Wish = { client: ClusterClient; as: ClusterIdentity; now: () => Date } & (
  | {
      of: "rollout";
      action: RolloutActionName;
      address: RolloutAddress;
      params: ActionParams;
      images?: readonly TaggedImage[];
    }
  | {
      of: "subject";
      action: SubjectActionName;
      address: RolloutAddress | undefined;
      namespace: string;
      subject: ActionSubject;
      /** Of the Experiment that a run belongs to, as recorded. */
      experimentUid: string | undefined;
    }
);

export const staleMessage = "The rollout changed since you looked at it. Look at what changed, then decide again.";

/** Reads everything anew and plans. `check` may refuse on the rollout before anything else is read. */
export async function readAndPlan(
  wish: Wish,
  check: (rollout: RolloutObject) => Refused | undefined = () => undefined,
): Promise<LiveView | Refused> {
  const { client, as, address } = wish;
  let rollout: RolloutObject | undefined;
  // The controller counts a pause by its cluster's clock, so that is what plans are made by, if the answer tells it.
  let clusterNow: Date | undefined;
  if (address !== undefined) {
    const fetched = await fetchRollout({ client, as, address });
    if (fetched.kind !== "found") return refusalOfFetch(fetched);
    rollout = fetched.rollout;
    clusterNow = fetched.date;
    const refused = check(rollout);
    if (refused !== undefined) return refused;
  }
  if (wish.of === "subject") {
    const { action, subject, namespace, experimentUid } = wish;
    const read = await readSubject({ client, as, namespace, subject });
    if (read.kind !== "found") return refusalOfFetch(read, subject.kind === "Experiment" ? "experiment" : "run");
    const { object } = read;
    if (!isKnownOwner({ owner: controllerOf(object.metadata), rollout, experimentUid }))
      return { outcome: "refused", code: "source_stale", message: otherOwnerMessage };
    return { rollout, live: undefined, subject: object, plan: planSubjectAction({ action, object, rollout }) };
  }
  const { action, params, images } = wish;
  const now = clusterNow ?? wish.now();
  if (rollout === undefined) return { outcome: "refused", code: "internal", message: "There is no rollout to act on." };
  if (action !== "undo" && action !== "set-image")
    return {
      rollout,
      live: undefined,
      subject: undefined,
      plan: planAction({ action, rollout, now, params, images }),
    };
  const read = await readLiveObjects({ client, as, rollout, withRevisions: action === "undo" });
  if (read.kind !== "found") return refusalOfFetch(read, "history");
  const { live } = read;
  return { rollout, live, subject: undefined, plan: planAction({ action, rollout, now, params, live, images }) };
}

const otherOwnerMessage =
  "In the cluster it has another owner than the recorder has seen yet: what guards that owner cannot be asked.";

/** What the cluster says of the owner must be what rights, policies and the view were judged by. */
function isKnownOwner({
  owner,
  rollout,
  experimentUid,
}: {
  owner: OwnerReference | undefined;
  rollout: RolloutObject | undefined;
  experimentUid: string | undefined;
}): boolean {
  if (owner?.kind === "Rollout") return owner.uid === rollout?.metadata.uid;
  return owner?.kind !== "Experiment" || owner.uid === experimentUid;
}

/**
 * The plan for what the person saw, or why it is refused: the object is gone, the view is no longer current, the planner
 * refuses. Asked at the click, and again after every conflict.
 */
export async function prepareAction({
  wish,
  seen,
  recordedUid,
}: {
  wish: Wish;
  /** With the pauses that the person was told it may pass; absent if nobody said. */
  seen: SeenView & { passesPauses?: readonly number[] | undefined };
  /** The rollout that the recorder knows; undefined where that does not matter. */
  recordedUid?: string | undefined;
}): Promise<Prepared | Refused> {
  const protective = wish.of === "rollout" && isProtective(wish.action);
  const view = await readAndPlan(wish, (rollout) => {
    if (recordedUid !== undefined && rollout.metadata.uid !== recordedUid)
      return {
        outcome: "refused",
        code: "source_stale",
        message: "It was created again, and the recorder has not seen the new one yet.",
      };
    if (assessView({ rollout, seen, protective }).current) return undefined;
    return { outcome: "refused", code: "stale_view", message: staleMessage, stale: rollout };
  });
  if ("outcome" in view) return view;
  // A run that nobody owns has no view to guard it: its uid must be the one that was seen.
  if (wish.of === "subject" && view.rollout === undefined && seen.uid !== wish.subject.uid)
    return {
      outcome: "refused",
      code: "stale_view",
      message: "No rollout owns it: send its own uid as what you saw (expect.uid).",
    };
  const { plan, rollout } = view;
  if (plan.kind === "refused") return { outcome: "refused", code: problemOf(plan), message: plan.reason };
  const unnamed = rollout && findUnnamedPasses({ rollout, plan, named: seen.passesPauses });
  if (unnamed !== undefined)
    return { outcome: "refused", code: "stale_view", message: unnamed.message, stale: rollout, change: unnamed.change };
  return { rollout, plan };
}

/** A request that makes no sense on any rollout is wrong in itself; the others are not allowed now. */
function problemOf({ reasonCode }: ActionRefusal): ProblemCode {
  return ["bad_image", "bad_time", "params_missing"].includes(reasonCode) ? "invalid_request" : "not_allowed_now";
}

const things = { rollout: "rollout", run: "run", experiment: "experiment", history: "revision history" } as const;

export function refusalOfFetch(fetched: FetchFailure, what: keyof typeof things = "rollout"): Refused {
  const thing = things[what];
  switch (fetched.kind) {
    case "missing":
      return { outcome: "refused", code: "not_found", message: `The cluster has no such ${thing} any more.` };
    case "refused":
      return { outcome: "refused", code: "cluster_refused", message: `The cluster refused it: ${fetched.message}` };
    case "unusable":
      return {
        outcome: "refused",
        code: "not_allowed_now",
        message: `The cluster's object cannot be read, so nothing can be decided on it: ${fetched.message}.`,
      };
    case "unreachable":
      return {
        outcome: "refused",
        code: "unavailable",
        message: `The ${thing} could not be read: ${fetched.message}.`,
      };
  }
}
