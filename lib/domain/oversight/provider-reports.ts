import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";
import type { FieldHolder } from "#lib/domain/kube/find-field-holders.ts";
import type { Evidence, FindingSeverity } from "./rule.ts";

/**
 * A change that a person can make to a rollout, named after our action that does the same. A set image looks like any
 * new template.
 */
export type ChangeAction = Exclude<RolloutActionName, "set-image">;

/** A change made to a rollout. `client` is the field manager of the write; null if none is named. */
export type UnaskedChange = {
  action: ChangeAction;
  client: string | null;
  /** For a skip: the steps that were skipped, counted from 1. */
  skipped?: { first: number; last: number };
  /** For a return to an earlier pod template. `revision` is the number that it had; null if none was seen. */
  backTo?: { revision: number | null; images: string[] };
  /** If it was written earlier than it took effect: when, and when the rollout last changed before that. */
  written?: { at: number; previousAt: number };
};

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

/** A problem that the rollout's provider reports at this moment. */
export type Trouble = {
  /** Stays the same for as long as the trouble lasts. */
  key: string;
  severity: FindingSeverity;
  title: string;
  /** ISO 8601; undefined if the object has no time for it. */
  since: string | undefined;
  evidence: Evidence[];
  /** What to do; undefined if the rule's own words suffice. */
  advice: string | undefined;
};
