import type { ActionName } from "#lib/domain/acting/action-catalogue.ts";

export type ActionPatch = { subresource: "" | "status"; body: Record<string, unknown> };

/** What is patched if that is not the rollout itself; `resourceVersion` as it was when the plan was made. */
export type PlanTarget = { resource: string; kind: string; name: string; uid: string; resourceVersion: string };

/**
 * What an action would send. `Effect` is the provider's own, stored with the action: how to see that it took effect.
 */
export type ActionPlan<Effect = unknown, Target extends PlanTarget = PlanTarget> = {
  kind: "patches";
  /** In this order; the second carries the resourceVersion of the first one's answer. */
  patches: ActionPatch[];
  /** The patches as they may be stored and shown: those of a pod template hold its environment. */
  shown: ActionPatch[];
  /** They change a pod template: a text about them may quote its values, and a server may take a part of them only. */
  ofTemplate: boolean;
  target?: Target;
  /** What it will do, in a sentence with numbers. */
  effect: string;
  /** The results that it waives. */
  waives?: string;
  /** What else a person should know before the click. */
  warnings: string[];
  /** Other actions that the patches do as well, such as `unpause`: their rights are asked for too. */
  also: readonly ActionName[];
  /** Indices of pause steps that the controller may pass because of it, without anybody's word: asked for as a skip. */
  passesPauses?: number[];
  kubectl: string;
  expectedEffect: Effect;
};

export type ActionRefusal = { kind: "refused"; reasonCode: string; reason: string };

/** undo: a revision that can be gone back to. */
export type RevisionChoice = { revision: number; podHash: string; images: string[]; current: boolean; stable: boolean };

/** set-image: what runs what. */
export type Container = { name: string; image: string };

/** An action whose patches are made of live objects alone, with what there is to choose from. */
export type ChoiceOffer = {
  kind: "offered";
  offer: { effect: string; kubectl: string; revisions?: RevisionChoice[]; containers?: Container[] };
};

export type AnyPlan = ActionPlan | ActionRefusal | ChoiceOffer;

export function refuse(reasonCode: string, reason: string): ActionRefusal {
  return { kind: "refused", reasonCode, reason };
}

/** What an action does besides, and asks for with it. If the controller passes pauses because of it, it skips steps. */
export function alsoDoneBy({ action, plan }: { action: ActionName; plan: AnyPlan }): ActionName[] {
  if (plan.kind !== "patches") return [];
  const { also, passesPauses = [] } = plan;
  const done: ActionName[] = [...also, ...(passesPauses.length > 0 ? ["skip-step" as const] : [])];
  return done.filter((name) => name !== action);
}
