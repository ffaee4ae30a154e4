import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";

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
