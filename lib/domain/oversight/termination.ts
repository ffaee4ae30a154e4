import type { FieldHolder } from "#lib/domain/kube/find-field-holders.ts";

/** A run or an Experiment that was told to end. Times in milliseconds since 1970. */
export type SeenTermination = {
  /** Who told it to end; empty if the evidence names no one. */
  holders: readonly FieldHolder[];
  /** It was never seen without the termination: it may have been terminated long ago, or created that way. */
  isFirstSight: boolean;
  observedAt: number;
  createdAt: number;
  /** Since when the rollout that it belongs to is recorded; null if it belongs to none. */
  watchedSince: number | null;
  /** Whether it has an owner, so that a controller may have ended it. */
  isOwned: boolean;
  /** When Gatehouse was asked to terminate it, as far as that was sent, or may have been. */
  askedAt: readonly number[];
};

/** `somebody`: neither the controller nor Gatehouse; `client` is null if the evidence does not name it. */
export type TerminationVerdict =
  | { by: "controller" | "gatehouse" | "unclear" }
  | { by: "somebody"; client: string | null };
