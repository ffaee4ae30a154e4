import type { RolloutActionName } from "#lib/domain/acting/action-catalogue.ts";

/** What a person can do to a rollout, as the action of ours that does the same. A set image looks like any new template. */
export type ChangeAction = Exclude<RolloutActionName, "set-image">;

/** What somebody did to a rollout. `client` is the field manager of the write; null if the evidence names none. */
export type UnaskedChange = {
  action: ChangeAction;
  client: string | null;
  /** Of a skip: the steps that were passed over, counted from 1. */
  skipped?: { first: number; last: number };
  /** Of a return to a former pod template. `revision` is the number that it had; null if none was seen. */
  backTo?: { revision: number | null; images: string[] };
  /** If it was written earlier than it took effect: when, and when the rollout was last seen to change before. */
  written?: { at: number; previousAt: number };
};
