import type { ActionPatch, PlanTarget } from "./plan.ts";

/**
 * How to see, later, that an action took effect. It is stored with the action as JSON, and only the provider that made
 * it reads it: it may come from an older version.
 */
export type StoredEffect = unknown;

/** What everybody may know of a stored effect. */
export type EffectFacts = {
  /** What was patched instead of the rollout: it is read back itself. */
  target: PlanTarget | undefined;
  /** Whether the effect shows on the run or Experiment that was patched, and not on the rollout. */
  isOnTarget: boolean;
  /** Version of the object as the cluster answered the last patch; undefined if no answer is known. */
  answeredVersion: string | undefined;
  /** After how long without an effect a person is told so; it is followed on after that. */
  deadlineSeconds(now: Date): number;
};

export type EffectAssessment =
  /** `message`: what it waits for, if that can be seen. */
  | { state: "pending"; message?: string }
  | { state: "effective"; message: string }
  /** It never will: something else took its place. */
  | { state: "not-effective"; message: string };

/** What is known of patches whose answer never came. */
export type ReadBackInput = {
  effect: StoredEffect;
  /** In order, as they may be stored: those of a pod template without its values. */
  patches: readonly ActionPatch[];
  /** How many of them were answered. */
  patchesDone: number;
  /** The rollout that they were made for; undefined if what was patched is something else. */
  before: { digest: string; resourceVersion: string } | undefined;
  /** Longer ago than any request can hang. */
  isGraceOver: boolean;
  /** When the action was asked for: no mark of ours that is older can be this request's. */
  sentAt: Date;
};

export type ReadBack =
  | { outcome: "applied"; message: string }
  | { outcome: "refused"; message: string }
  | { outcome: "partial"; message: string }
  /** It may still be applied: a request can hang. Look again. */
  | { outcome: "waiting" }
  /** Others changed the object since, and it carries neither proof nor disproof. */
  | { outcome: "undecidable"; message: string };

/** A run or an Experiment, as recorded or live. */
export type RunState = { uid: string; phase: string; endedAt: string | undefined };
