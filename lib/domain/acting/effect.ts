import type { ActionPatch, PlanTarget } from "./plan.ts";

/**
 * How to recognise later that an action took effect. It is stored with the action as JSON, and only the provider that
 * made it reads it: it may come from an older version.
 */
export type StoredEffect = unknown;

/** The provider-independent facts of a stored effect. */
export type EffectFacts = {
  /** The patched object if it is not the rollout: it is read back itself. */
  target: PlanTarget | undefined;
  /** Whether the effect is visible on the patched run or Experiment, and not on the rollout. */
  isOnTarget: boolean;
  /** Version of the object in the cluster's answer to the last patch; undefined if no answer is known. */
  answeredVersion: string | undefined;
  /** After how long a missing effect is reported; the action is still followed after that. */
  deadlineSeconds(now: Date): number;
};

export type EffectAssessment =
  /** `message`: the event it waits for, if visible. */
  | { state: "pending"; message?: string }
  | { state: "effective"; message: string }
  /** It never will: something else replaced it. */
  | { state: "not-effective"; message: string };

/** The known facts about patches whose answer never came. */
export type ReadBackInput = {
  effect: StoredEffect;
  /** In order, in the form that may be stored: those of a pod template without its values. */
  patches: readonly ActionPatch[];
  /** Number of patches that were answered. */
  patchesDone: number;
  /** The rollout that they were made for; undefined if another object was patched. */
  before: { digest: string; resourceVersion: string } | undefined;
  /** Sent so long ago that no request can still hang. */
  isGraceOver: boolean;
  /** When the action was requested: an older mark from us cannot come from this request. */
  sentAt: Date;
};

export type ReadBack =
  | { outcome: "applied"; message: string }
  | { outcome: "refused"; message: string }
  | { outcome: "partial"; message: string }
  /** It may still be applied: a request can hang. Check again later. */
  | { outcome: "waiting" }
  /** Others changed the object since, and it neither proves nor disproves the patch. */
  | { outcome: "undecidable"; message: string };

/** A run or an Experiment, as recorded or live. */
export type RunState = { uid: string; phase: string; endedAt: string | undefined };
