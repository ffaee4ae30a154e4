import type { ActionName } from "#lib/domain/acting/action-catalogue.ts";
import type { GateBinding, GateName, GateVerdict } from "#lib/domain/delivery/gate-decision.ts";

export type ActionPatch = { subresource: "" | "status"; body: Record<string, unknown> };

/** The patched object if it is not the rollout itself; `resourceVersion` as it was when the plan was made. */
export type PlanTarget = { resource: string; kind: string; name: string; uid: string; resourceVersion: string };

/**
 * A person's decision about a gate. Gatehouse keeps it and returns it whenever the controller asks; nothing is sent to
 * the cluster.
 */
export type PlannedDecision = {
  gate: GateName;
  verdict: GateVerdict;
  bound: GateBinding;
  /** Absent only for a hold, which then stays until the next decision. */
  expiresInSeconds?: number;
};

/**
 * The requests that an action would send. `Effect` is the provider's own type, stored with the action: how to recognise
 * later that the action took effect.
 */
export type ActionPlan<Effect = unknown, Target extends PlanTarget = PlanTarget> = {
  kind: "patches";
  /** In this order; the second carries the resourceVersion of the first one's answer. Empty for a decision. */
  patches: ActionPatch[];
  /** Kept instead of sending patches. */
  decision?: PlannedDecision;
  /** The patches in the form that may be stored and shown: those of a pod template contain its environment. */
  shown: ActionPatch[];
  /**
   * The patches change a pod template: a message about them may quote its values, and a server may accept only part of
   * the change.
   */
  ofTemplate: boolean;
  target?: Target;
  /** The button's label, if people know the action by another word in this state; otherwise the catalogue's. */
  label?: string;
  /** The effect of the action, in a sentence with numbers. */
  effect: string;
  /** The results that it waives. */
  waives?: string;
  /** Other facts that a person should know before the click. */
  warnings: string[];
  /** Other actions that the patches include, such as `unpause`: their rights are required too. */
  also: readonly ActionName[];
  /**
   * Indices of pause steps that the controller may pass as a result, without a person's approval: this counts as a
   * skip.
   */
  passesPauses?: number[];
  /**
   * The desired version of the workload that the action is about, as one text: compared with the one that the person
   * saw.
   */
  targetVersion?: string | undefined;
  /** The equivalent command, if one exists. */
  kubectl?: string;
  expectedEffect: Effect;
};

/** The parts of a plan, besides the view, that a person saw; absent parts are not compared. */
export type SeenPlan = { passesPauses?: readonly number[] | undefined; targetVersion?: string | undefined };

export type ActionRefusal = { kind: "refused"; reasonCode: string; reason: string };

/** undo: a revision to choose. */
export type RevisionChoice = { revision: number; podHash: string; images: string[]; current: boolean; stable: boolean };

/** set-image: a container and its image. */
export type Container = { name: string; image: string };

/** An action whose patches are made only from live objects, with the choices. */
export type ChoiceOffer = {
  kind: "offered";
  offer: { effect: string; kubectl: string; revisions?: RevisionChoice[]; containers?: Container[] };
};

export type AnyPlan = ActionPlan | ActionRefusal | ChoiceOffer;

export function refuse(reasonCode: string, reason: string): ActionRefusal {
  return { kind: "refused", reasonCode, reason };
}

/**
 * Returns the other actions that an action includes and requires. If the controller passes pauses because of it, it
 * skips steps.
 */
export function alsoDoneBy({ action, plan }: { action: ActionName; plan: AnyPlan }): ActionName[] {
  if (plan.kind !== "patches") return [];
  const { also, passesPauses = [] } = plan;
  const done: ActionName[] = [...also, ...(passesPauses.length > 0 ? ["skip-step" as const] : [])];
  return done.filter((name) => name !== action);
}

/** A right at a cluster, in the words of a SelfSubjectAccessReview. */
export type AccessQuestion = {
  verb: string;
  group: string;
  resource: string;
  subresource?: string;
  namespace: string;
  name?: string;
};

/** An action as it is planned now. */
export type PlannedAccess = {
  action: string;
  patches?: readonly { subresource: string }[] | undefined;
};

/** Formats a right, such as `patch rollouts/status`. */
export function formatAccess({ verb, resource, subresource }: AccessQuestion): string {
  return `${verb} ${resource}${subresource === undefined ? "" : `/${subresource}`}`;
}
